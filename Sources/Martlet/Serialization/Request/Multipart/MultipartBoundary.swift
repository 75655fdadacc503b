import Foundation
import MartletCore
import NIOCore

/// What stands between the parts of a form (RFC 2046 §5.1.1).
struct MultipartBoundary {
  /// `Boundary+` and 16 hexadecimal digits (REQ-M3).
  let text: String

  /// A random boundary that none of the contents in memory holds. In files and streams it stands by
  /// chance alone, which is 1 in 2⁶⁴.
  init(notIn contents: [Body], using generator: inout some RandomNumberGenerator) {
    var text = Self.random(using: &generator)
    while contents.contains(where: { $0.isInMemory(holding: text) }) {
      text = Self.random(using: &generator)
    }
    self.text = text
  }

  var opening: String { "--\(text)\r\n" }
  var separator: String { "\r\n--\(text)\r\n" }
  var closing: String { "\r\n--\(text)--\r\n" }

  private static func random(using generator: inout some RandomNumberGenerator) -> String {
    let digits = String(generator.next() as UInt64, radix: 16, uppercase: true)
    return "Boundary+" + String(repeating: "0", count: 16 - digits.count) + digits
  }
}

extension Body {
  fileprivate func isInMemory(holding text: String) -> Bool {
    guard case .bytes(let bytes) = source else { return false }
    return bytes.withUnsafeReadableBytes { $0.contains(Array(text.utf8)) }
  }
}

extension UnsafeRawBufferPointer {
  /// Whether the bytes of `text`, which is not empty, stand somewhere in these. The C library goes through
  /// gigabytes in a moment, also in debug builds.
  fileprivate func contains(_ text: [UInt8]) -> Bool {
    var rest = self
    while let start = rest.baseAddress, rest.count >= text.count,
      let found = memchr(start, CInt(text[0]), rest.count - text.count + 1)
    {
      if memcmp(found, text, text.count) == 0 { return true }
      rest = UnsafeRawBufferPointer(rebasing: rest[(start.distance(to: found) + 1)...])
    }
    return false
  }
}
