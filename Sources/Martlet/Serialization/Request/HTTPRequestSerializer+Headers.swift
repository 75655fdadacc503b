import Foundation

extension HTTPRequestSerializer {
  /// The default header of that name.
  public func value(forHTTPHeaderField name: String) -> String? {
    HTTPField.Name(name).flatMap { httpRequestHeaders[$0] }
  }

  /// Sets the default header of that name, or removes it.
  ///
  /// - Parameters:
  ///   - value: `nil` removes the field.
  ///   - name: The case of letters does not matter.
  /// - Throws: `MartletError` with code `.invalidHeader` for what may not stand in a header.
  public mutating func setValue(_ value: String?, forHTTPHeaderField name: String)
    throws(MartletError)
  {
    guard let value else {
      httpRequestHeaders[try HTTPField.Name(checking: name)] = nil
      return
    }
    try httpRequestHeaders.set(name: name, value: value)
  }

  /// Sends a user's name and password with every request (RFC 7617).
  ///
  /// - Parameters:
  ///   - username: Must not hold a colon, which would be taken for the end of the name (REQ-H7).
  ///   - password: Sent as base64, which hides nothing: use https.
  public mutating func setAuthorization(username: String, password: String) {
    let credentials = Data("\(username):\(password)".utf8).base64EncodedString()
    httpRequestHeaders[.authorization] = "Basic \(credentials)"
  }

  /// Sends no `Authorization` any more.
  public mutating func clearAuthorization() {
    httpRequestHeaders[.authorization] = nil
  }
}
