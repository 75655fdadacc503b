public import NIOCore

/// A request as it arrived at a scripted server.
public struct ReceivedRequest: Sendable {
  /// The request line, such as `GET /x HTTP/1.1`.
  public var line: String
  /// The lines of the header section, in order and as they were spelled.
  public var headerLines: [String]
  /// The body, without the framing of chunks.
  public var body: ByteBuffer
  /// The number of the connection, from 0.
  public var connection: Int

  /// The method of the request line.
  public var method: String { String(line.prefix { $0 != " " }) }

  /// The target of the request line: path and query, as a rule.
  public var target: String {
    let parts = line.split(separator: " ", omittingEmptySubsequences: false)
    return parts.count > 1 ? String(parts[1]) : ""
  }

  /// The body as text.
  public var text: String { String(buffer: body) }

  /// The value of the first header of this name, whatever its case.
  public func header(_ name: String) -> String? {
    values(of: name).first
  }

  /// The values of all headers of this name, whatever its case.
  public func values(of name: String) -> [String] {
    let name = name.lowercased()
    return headerLines.compactMap { line in
      guard let colon = line.utf8.firstIndex(of: UInt8(ascii: ":")),
        line[..<colon].lowercased() == name
      else { return nil }
      let value = line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
      return String(value)
    }
  }
}
