public import EssentialFoundation

extension URL {
  /// A URL from text. Existing escapes are kept.
  ///
  /// It escapes exactly the characters that RFC 3986 forbids in a component, and each `%` that is not followed by two
  /// hexadecimal digits: `http://h/?q=a|b%20c` becomes `http://h/?q=a%7Cb%20c`. `URL(string:)` is different: if it
  /// escapes anything in a component, it escapes every `%`, so that `%20` becomes `%2520`.
  ///
  /// - Parameters:
  ///   - text: A URL, or a reference that is relative to `base`.
  ///   - base: The URL that a relative reference is resolved against (RFC 3986 §5.2). The default is `nil`: a relative
  ///     reference stays relative, and dot segments are kept.
  /// - Throws: `MartletError` with code `.invalidURL` for text that is not a URL even after escaping: it is empty, or
  ///   its scheme, host or port is invalid.
  public init(escaping text: String, relativeTo base: URL? = nil) throws(MartletError) {
    if base == nil, let url = URL(withoutEscaping: text) {
      self = url
      return
    }
    var reference = URLReference(text).escaped
    if let base { reference = reference.resolved(against: URLReference(base.absoluteString)) }
    do throws(URLProblem) {
      self = try reference.url()
    } catch {
      throw .invalidURL(text, error.reason)
    }
  }

  /// A URL from text that needs no escaping; `nil` if it needs escaping or is not a URL.
  private init?(withoutEscaping text: String) {
    // Foundation accepts an empty scheme.
    guard text.utf8.first != .colon else { return nil }
    // Foundation accepts any host in brackets as an address.
    guard !text.utf8.contains(.openingBracket) || URLReference(text).hasValidBrackets else {
      return nil
    }
    self.init(string: text, encodingInvalidCharacters: false)
  }

  /// The port of a URL with a scheme, or `nil` when there is none (RFC 3986 §3.2.3).
  ///
  /// - Throws: `URLProblem` for an invalid port number.
  package var checkedPort: Int? {
    get throws(URLProblem) {
      if let port, (1...65535).contains(port) { return port }
      // Foundation also returns no port if the number is too large for an `Int`.
      let text = absoluteString
      guard text.utf8.firstIndex(of: .colon) != text.utf8.lastIndex(of: .colon) else { return nil }
      return try URLReference(text).portNumber()
    }
  }
}

extension URLReference {
  /// Returns the reference as a URL.
  ///
  /// - Throws: `URLProblem` if it is not a valid URL.
  package func url() throws(URLProblem) -> URL {
    let text = try inASCII().text
    if text.isEmpty { throw URLProblem("it is empty") }
    if let scheme, !scheme.isScheme {
      throw URLProblem(
        "the text before its first colon is not a scheme; put ./ before a path that contains a colon"
      )
    }
    if let port, !port.allSatisfy(\.isDigit) {
      throw URLProblem("its port is not a number")
    }
    guard hasValidBrackets, hasValidName, let url = URL(string: text) else { throw hostProblem }
    return url
  }

  /// Whether a host without brackets has only characters of a name (RFC 3986 §3.2.2).
  ///
  /// FoundationEssentials would escape other characters, which would change the name.
  private var hasValidName: Bool {
    guard let host, host.first != .openingBracket else { return true }
    return host.allSatisfy {
      $0 >= 0x80 || $0.isUnreservedOrSubDelimiter || $0 == UInt8(ascii: "%")
    }
  }

  /// Returns the reference with the ASCII form of its host (RFC 5890 §2.3.2.1).
  private func inASCII() throws(URLProblem) -> URLReference {
    guard let host, !host.allSatisfy({ $0 < 0x80 }) else { return self }
    guard let name = InternationalName.ascii(host.text) else { throw .host }
    var reference = self
    reference.host = Array(name.utf8)[...]
    return reference
  }

  /// Whether the host has no brackets, or its brackets contain an IPv6 address with an optional zone (RFC 3986 §3.2.2,
  /// RFC 6874 §2).
  fileprivate var hasValidBrackets: Bool {
    guard let host, host.first == .openingBracket else { return true }
    guard host.last == .closingBracket else { return false }
    let parts = host.dropFirst().dropLast().text.split(
      separator: "%25", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.last?.isEmpty == false else { return false }
    return !parts[0].contains("%") && IPAddress(parts[0], port: 0)?.bytes.count == 16
  }

  /// Returns the port number, or `nil` when there is none.
  fileprivate func portNumber() throws(URLProblem) -> Int? {
    guard let port, !port.isEmpty else { return nil }
    let text = port.text
    guard let number = UInt16(text), number > 0 else {
      throw URLProblem("port \(text.masked) is not between 1 and 65535")
    }
    return Int(number)
  }

  /// The problem of an invalid host. After the other checks and escaping, only the host can be invalid.
  private var hostProblem: URLProblem {
    let isAddress = host?.contains { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "[") } ?? false
    return isAddress
      ? URLProblem("its host is neither a name nor an IPv6 address in brackets, such as [::1]")
      : .host
  }
}

extension URLReference.Component {
  /// Whether the component is a valid scheme (RFC 3986 §3.1).
  fileprivate var isScheme: Bool {
    guard let first, first.isLetter else { return false }
    return allSatisfy { $0.isLetter || $0.isDigit || "+-.".utf8.contains($0) }
  }
}

/// The reason why a text is not a usable URL, as a clause.
package struct URLProblem: Error {
  static let host = URLProblem("its host is not a valid host name")

  package let reason: String

  init(_ reason: String) {
    self.reason = reason
  }
}
