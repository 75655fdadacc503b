extension HTTPTransport: CustomStringConvertible, CustomReflectable {
  /// The engine as text: `<HTTPTransport>`.
  public var description: String { "<HTTPTransport>" }

  /// What debuggers show: the configuration, and nothing that the engine's thread uses.
  public var customMirror: Mirror {
    Mirror(self, children: ["configuration": configuration], displayStyle: .class)
  }
}

extension ResponseBatch: CustomStringConvertible, CustomReflectable {
  /// The batch as text, such as `<ResponseBatch: 32 at once, in order of completion>`.
  public var description: String {
    "<ResponseBatch: \(limit) at once, in order of \(isInOrder ? "request" : "completion")>"
  }

  /// What debuggers show: no more than the description says, and nothing that an engine's thread uses.
  public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}
