public import EssentialFoundation

extension URL {
  /// A URL from text, in which what is escaped stays so.
  ///
  /// Escaped is exactly what RFC 3986 forbids in a component, and a `%` that is not followed by two hexadecimal
  /// digits: `http://h/?q=a|b%20c` becomes `http://h/?q=a%7Cb%20c`. `URL(string:)` escapes every `%` of a component
  /// that it has to escape anything in, so that `%20` becomes `%2520` there.
  ///
  /// - Parameters:
  ///   - text: A URL, or a reference that is relative to `base`.
  ///   - base: What a relative reference is resolved against (RFC 3986 §5.2). The default is `nil`: a relative
  ///     reference stays one, and a URL is taken as it stands, dot segments included.
  /// - Throws: `MartletError` with code `.invalidURL` for text that is no URL even then: it is empty, or its scheme,
  ///   its host or its port holds what may not stand there.
  public init(escaping text: String, relativeTo base: URL? = nil) throws(MartletError) {
    if base == nil, let url = URL(asItStands: text) {
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

  /// The URL that a text is already; `nil` where something is to be escaped, or wrong.
  private init?(asItStands text: String) {
    // For Foundation, a scheme may be empty.
    guard text.utf8.first != .colon else { return nil }
    // Foundation takes any host for an address in brackets.
    guard !text.utf8.contains(.openingBracket) || URLReference(text).hasValidBrackets else {
      return nil
    }
    self.init(string: text, encodingInvalidCharacters: false)
  }

  /// The port of a URL with a scheme, or `nil` when there is none (RFC 3986 §3.2.3).
  ///
  /// - Throws: `URLProblem` for a number that no port has.
  package var checkedPort: Int? {
    get throws(URLProblem) {
      if let port, (1...65535).contains(port) { return port }
      // Foundation has no port either when its number is too large for an `Int`.
      let text = absoluteString
      guard text.utf8.firstIndex(of: .colon) != text.utf8.lastIndex(of: .colon) else { return nil }
      return try URLReference(text).portNumber()
    }
  }
}

extension URLReference {
  /// The URL that the reference is.
  ///
  /// - Throws: What keeps it from being one.
  package func url() throws(URLProblem) -> URL {
    let text = try inASCII().text
    if text.isEmpty { throw URLProblem("it is empty") }
    if let scheme, !scheme.isScheme {
      throw URLProblem(
        "what stands before its first colon is no scheme; a path that has a colon there begins with ./"
      )
    }
    if let port, !port.allSatisfy(\.isDigit) {
      throw URLProblem("its port is no number")
    }
    guard hasValidBrackets, hasValidName, let url = URL(string: text) else { throw hostProblem }
    return url
  }

  /// Whether a host without brackets has nothing but what a name may have (RFC 3986 §3.2.2): FoundationEssentials would
  /// escape the rest, and so make another name of it.
  private var hasValidName: Bool {
    guard let host, host.first != .openingBracket else { return true }
    return host.allSatisfy {
      $0 >= 0x80 || $0.isUnreservedOrSubDelimiter || $0 == UInt8(ascii: "%")
    }
  }

  /// The same with the ASCII form of its host (RFC 5890 §2.3.2.1).
  private func inASCII() throws(URLProblem) -> URLReference {
    guard let host, !host.allSatisfy({ $0 < 0x80 }) else { return self }
    guard let name = InternationalName.ascii(host.text) else { throw .host }
    var reference = self
    reference.host = Array(name.utf8)[...]
    return reference
  }

  /// Whether the brackets of a host, if it has any, hold an IPv6 address and perhaps a zone (RFC 3986 §3.2.2, RFC 6874 §2).
  fileprivate var hasValidBrackets: Bool {
    guard let host, host.first == .openingBracket else { return true }
    guard host.last == .closingBracket else { return false }
    let parts = host.dropFirst().dropLast().text.split(
      separator: "%25", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.last?.isEmpty == false else { return false }
    return !parts[0].contains("%") && IPAddress(parts[0], port: 0)?.bytes.count == 16
  }

  /// The number of the port, or `nil` when there is none.
  fileprivate func portNumber() throws(URLProblem) -> Int? {
    guard let port, !port.isEmpty else { return nil }
    let text = port.text
    guard let number = UInt16(text), number > 0 else {
      throw URLProblem("port \(text.masked) does not exist")
    }
    return Int(number)
  }

  /// Nothing but a host keeps a reference from being a URL once all else is escaped.
  private var hostProblem: URLProblem {
    let isAddress = host?.contains { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "[") } ?? false
    return isAddress
      ? URLProblem("its host is no name, and no IPv6 address in brackets such as [::1]")
      : .host
  }
}

extension URLReference.Component {
  /// RFC 3986 §3.1
  fileprivate var isScheme: Bool {
    guard let first, first.isLetter else { return false }
    return allSatisfy { $0.isLetter || $0.isDigit || "+-.".utf8.contains($0) }
  }
}

/// Why a text is no URL that can be asked for: a clause.
package struct URLProblem: Error {
  static let host = URLProblem("its host holds what may not stand in a host name")

  package let reason: String

  init(_ reason: String) {
    self.reason = reason
  }
}
