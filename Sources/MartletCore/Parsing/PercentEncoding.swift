extension String {
  /// Returns the text with `%XX` for each byte of its UTF-8 that is not allowed (RFC 3986 §2.1).
  ///
  /// - Parameter isAllowed: Returns whether a byte is kept unchanged.
  /// - Returns: The escaped text.
  package func percentEncoded(where isAllowed: (UInt8) -> Bool) -> String {
    guard !utf8.allSatisfy(isAllowed) else { return self }
    var bytes: [UInt8] = []
    for byte in utf8 {
      if isAllowed(byte) { bytes.append(byte) } else { bytes.append(escapeOf: byte) }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension StringProtocol {
  /// The text with its escapes decoded; `nil` if an escape is invalid or the result is not UTF-8.
  package var percentDecoded: String? {
    percentDecodedBytes.flatMap { String(validating: $0, as: UTF8.self) }
  }

  /// The bytes of the text with its escapes decoded; `nil` if an escape is invalid.
  package var percentDecodedBytes: [UInt8]? {
    var bytes: [UInt8] = []
    var rest = Substring(self).utf8
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard let high = rest.popFirst()?.hexadecimalValue,
        let low = rest.popFirst()?.hexadecimalValue
      else { return nil }
      bytes.append(high << 4 | low)
    }
    return bytes
  }
}

extension RangeReplaceableCollection<UInt8> {
  /// Appends `%XX`, with digits in upper case (RFC 3986 §2.1).
  package mutating func append(escapeOf byte: UInt8) {
    append(UInt8(ascii: "%"))
    append((byte >> 4).hexadecimalDigit)
    append((byte & 15).hexadecimalDigit)
  }
}
