import EssentialFoundation

/// The host of a URL in the form that is used for look-ups.
package enum HostName {
  /// Returns the host in lower case and in ASCII, without brackets, or `nil` when there is none.
  ///
  /// - Throws: `MartletError` with code `.invalidURL` for a host that cannot be looked up.
  static func host(of url: URL) throws(MartletError) -> String? {
    guard let encoded = url.host(percentEncoded: true), !encoded.isEmpty else { return nil }
    guard encoded.utf8.contains(UInt8(ascii: "%")) else { return normalized(encoded) }
    let isAddress = encoded.utf8.contains(UInt8(ascii: ":"))
    let host = isAddress ? encoded.percentDecoded : name(encoded)
    guard let host else {
      throw .invalidURL(url.absoluteString, URLProblem.host.reason)
    }
    return normalized(host)
  }

  /// Decodes the escapes in a name and returns its ASCII form (RFC 3986 §3.2.2, RFC 5890 §2.3.2.1).
  ///
  /// Returns `nil` if the result is not a valid name.
  private static func name(_ encoded: String) -> String? {
    guard let name = encoded.percentDecoded,
      name.utf8.allSatisfy({ $0 >= 0x80 || $0.isUnreservedOrSubDelimiter })
    else { return nil }
    guard !name.utf8.allSatisfy({ $0 < 0x80 }) else { return name }
    let ascii = InternationalName.ascii(name)
    return ascii?.utf8.allSatisfy(\.isUnreservedOrSubDelimiter) == true ? ascii : nil
  }

  /// Returns the host of a pattern, in the form of `host(of:)`; `nil` for a text that is not a host.
  static func host(inPattern text: Substring) -> String? {
    let text = text.hasSuffix(".") ? text.dropLast() : text
    if isAddress(text) { return text.lowercased() }
    let labels = text.split(separator: ".", omittingEmptySubsequences: false)
    guard !labels.contains(""), !text.contains(where: ":/?#@[]*%\\".contains),
      let url = URL(string: "https://\(text)")
    else { return nil }
    return try? host(of: url)
  }

  /// Whether a text looks like an IPv6 address: hexadecimal digits, dots, two colons at least, and perhaps a zone.
  private static func isAddress(_ text: Substring) -> Bool {
    let digits = text.prefix { $0 != "%" }
    return digits.count { $0 == ":" } > 1
      && digits.allSatisfy { $0.isHexDigit || $0 == ":" || $0 == "." }
  }

  /// Whether programs may read a host as an address: it has a colon, or its last label is a number, as in `127.1` or `0x7f.1`. No
  /// domain has such a name (WHATWG URL, “ends in a number”).
  package static func mayBeAddress(_ host: some BidirectionalCollection<UInt8>) -> Bool {
    if host.contains(UInt8(ascii: ":")) { return true }
    guard let last = host.split(separator: UInt8(ascii: ".")).last else { return false }
    if last.allSatisfy(\.isDigit) { return true }
    return last.prefix(2).map(\.lowercased) == Array("0x".utf8)
      && last.dropFirst(2).allSatisfy { $0.hexadecimalValue != nil }
  }

  private static func normalized(_ host: String) -> String {
    let bare =
      host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
    return bare.utf8.contains { $0 != $0.lowercased } ? bare.lowercased() : bare
  }
}
