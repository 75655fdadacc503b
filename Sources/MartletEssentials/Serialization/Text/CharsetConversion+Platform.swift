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

  /// The code pages whose undefined bytes from 80 to 9F are read as control characters, as in ICU.
  private static let passingControls: Set = [
    "windows-1250", "windows-1251", "windows-1253", "windows-1254", "windows-1255", "windows-1257",
    "windows-1258", "windows-874",
  ]

  /// Returns the text of bytes; `nil` when they are not text in that encoding.
  static func text(of bytes: Data, in encoding: String.Encoding) -> String? {
    guard let name = encoding.charset else { return String(bytes: bytes, encoding: encoding) }
    return CharsetConversion(from: name, to: "UTF-8")?
      .convert(Array(bytes), passesControls: passingControls.contains(name))
      .map { String(decoding: $0, as: UTF8.self) }
  }

  /// Returns the bytes of a text; `nil` when the encoding does not have one of its characters.
  static func bytes(of text: String, in encoding: String.Encoding) -> Data? {
    guard let name = encoding.charset else { return text.data(using: encoding) }
    return CharsetConversion(from: "UTF-8", to: name)?
      .convert(Array(text.utf8), passesControls: false).map { Data($0) }
  }

  /// Converts all bytes; returns `nil` when some of them are invalid.
  ///
  /// - Parameters:
  ///   - bytes: The bytes to convert.
  ///   - passesControls: Whether bytes from 80 to 9F that the charset does not define become control characters.
  /// - Returns: The converted bytes.
  private func convert(_ bytes: [UInt8], passesControls: Bool) -> [UInt8]? {
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
          let next = source.map { UInt8(bitPattern: $0.pointee) } ?? 0
          guard result == -1, errno == EILSEQ, passesControls, 0x80...0x9F ~= next else {
            return false
          }
          for byte in [0xC2, next] {
            target?.pointee = CChar(bitPattern: byte)
            target = target?.advanced(by: 1)
          }
          source = source?.advanced(by: 1)
          (inputLeft, outputLeft) = (inputLeft - 1, outputLeft - 2)
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
