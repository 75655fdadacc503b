import MartletCore

extension HTTPRequestSerializer: CustomStringConvertible, CustomReflectable {
  /// The serializer as text, such as `<HTTPRequestSerializer [Authorization: ***]>`; secrets are masked.
  public var description: String { "<HTTPRequestSerializer\(httpRequestHeaders.masked)>" }

  /// What debuggers show: no more than the description says.
  public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}
