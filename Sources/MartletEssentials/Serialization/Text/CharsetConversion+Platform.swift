import EssentialFoundation

#if canImport(FoundationEssentials)

/// Converts text in encodings that FoundationEssentials does not support, with the C library's `iconv`.
struct CharsetConversion: ~Copyable {
  private let conversion: iconv_t

  /// `nil` when the C library does not support one of the two encodings.
  private init?(from source: String, to target: String) {
    guard let conversion = iconv_open(target, source), conversion != iconv_t(bitPattern: -1) else {
      return nil
    }
    self.conversion = conversion
  }

  deinit {
    iconv_close(conversion)
  }

  /// The names under which the C library decodes more of an encoding than it encodes: ISO-2022-JP with half-width
  /// katakana (Encoding Standard §12.2.1).
  private static let decoders = ["iso-2022-jp": "iso-2022-jp-3"]

  /// The characters of Big5 that the C library's BIG5-HKSCS does not have (Encoding Standard, index Big5).
  private static let missingBig5: [UInt16: Unicode.Scalar] = [
    0xA15A: "╴", 0xA1C3: "￣", 0xA1C5: "ˍ", 0xA1FE: "／", 0xA240: "＼", 0xA2CC: "十", 0xA2CE: "卅",
  ]

  /// The code pages whose undefined bytes from 80 to 9F are read as control characters, as in ICU.
  private static let passingControls: Set = [
    "windows-1250", "windows-1251", "windows-1253", "windows-1254", "windows-1255", "windows-1257",
    "windows-1258", "windows-874",
  ]

  /// Returns the text of bytes; `nil` when they are not text in that encoding.
  static func text(of bytes: Data, in encoding: String.Encoding) -> String? {
    guard let name = encoding.charset else { return String(bytes: bytes, encoding: encoding) }
    return CharsetConversion(from: decoders[name] ?? name, to: "UTF-8")?
      .convert(Array(bytes)) { missingCharacter(at: $0, in: name) }
      .map { String(decoding: $0, as: UTF8.self) }
  }

  /// Returns the first character of bytes that the C library cannot decode, and the number of its bytes; `nil` when the
  /// bytes are invalid.
  private static func missingCharacter(
    at bytes: ArraySlice<UInt8>, in name: String
  ) -> (Unicode.Scalar, Int)? {
    guard let first = bytes.first else { return nil }
    if passingControls.contains(name), 0x80...0x9F ~= first { return (Unicode.Scalar(first), 1) }
    guard name == "big5-hkscs", let second = bytes.dropFirst().first,
      let scalar = missingBig5[UInt16(first) << 8 | UInt16(second)]
    else { return nil }
    return (scalar, 2)
  }

  /// Returns the bytes of a text; `nil` when the encoding does not have one of its characters.
  static func bytes(of text: String, in encoding: String.Encoding) -> Data? {
    guard let name = encoding.charset else { return text.data(using: encoding) }
    return CharsetConversion(from: "UTF-8", to: name)?
      .convert(Array(text.utf8)) { _ in nil }.map { Data($0) }
  }

  /// Converts all bytes; returns `nil` when some of them are invalid.
  ///
  /// - Parameters:
  ///   - bytes: The bytes to convert.
  ///   - missing: Returns the first character of bytes that the C library does not convert, and the number of its
  ///     bytes; `nil` when they are invalid.
  /// - Returns: The converted bytes.
  private func convert(
    _ bytes: [UInt8], missing: (ArraySlice<UInt8>) -> (Unicode.Scalar, Int)?
  ) -> [UInt8]? {
    var input = bytes
    // No encoding needs more than four bytes of output for a byte of input, or for the reset of its state at the end.
    var output = [UInt8](repeating: 0, count: 4 * bytes.count + 16)
    var (inputLeft, outputLeft) = (input.count, output.count)
    let isWhole = input.withMutableCharacters { input in
      output.withMutableCharacters { output in
        var (source, target) = (input.baseAddress, output.baseAddress)
        // A result above 0 is the number of characters that the C library has replaced by others.
        while case let result = iconv(conversion, &source, &inputLeft, &target, &outputLeft),
          result != 0
        {
          guard result == -1, errno == EILSEQ,
            let (scalar, count) = missing(bytes.suffix(inputLeft))
          else { return false }
          for byte in String(scalar).utf8 {
            target?.pointee = CChar(bitPattern: byte)
            target = target?.advanced(by: 1)
            outputLeft -= 1
          }
          source = source?.advanced(by: count)
          inputLeft -= count
        }
        return iconv(conversion, nil, nil, &target, &outputLeft) == 0
      }
    }
    guard isWhole else { return nil }
    output.removeLast(outputLeft)
    return output
  }
}

extension [UInt8] {
  /// Calls `body` with the bytes as C characters.
  fileprivate mutating func withMutableCharacters<Result>(
    _ body: (UnsafeMutableBufferPointer<CChar>) -> Result
  ) -> Result {
    withUnsafeMutableBufferPointer { $0.withMemoryRebound(to: CChar.self, body) }
  }
}
#else
/// Converts text in any encoding that Foundation supports.
enum CharsetConversion {
  /// Returns the text of bytes; `nil` when they are not text in that encoding.
  static func text(of bytes: Data, in encoding: String.Encoding) -> String? {
    String(bytes: bytes, encoding: encoding)
  }

  /// Returns the bytes of a text; `nil` when the encoding does not have one of its characters.
  static func bytes(of text: String, in encoding: String.Encoding) -> Data? {
    text.data(using: encoding)
  }
}
#endif
