extension Call: CustomStringConvertible, CustomReflectable {
  /// The call as text, such as `<Call: sent 0 bytes, received 12 of 40 bytes>`.
  public var description: String {
    let held = isSuspended ? ", suspended" : ""
    return "<Call: sent \(uploadProgress.text), received \(downloadProgress.text)\(held)>"
  }

  /// What debuggers show: no more than the description says, and nothing that an engine's thread uses.
  public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .class) }
}

extension TransferProgress {
  fileprivate var text: String {
    "\(completed)\(total.map { " of \($0)" } ?? "") bytes"
  }
}
