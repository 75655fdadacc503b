import EssentialFoundation

#if canImport(FoundationEssentials)

/// Text in encodings that FoundationEssentials does not know, by the C library's `iconv`.
struct CharsetConversion: ~Copyable {
  private let conversion: iconv_t

  /// `nil` when the C library lacks one of the two.
  private init?(from source: String, to target: String) {
    guard let conversion = iconv_open(target, source), conversion != iconv_t(bitPattern: -1) else {
      return nil
    }
    self.conversion = conversion
  }

  deinit {
    iconv_close(conversion)
  }

  /// The code pages of which ICU reads the bytes from 80 to 9F that they leave undefined as control characters.
  private static let passingControls: Set = [
    "windows-1250", "windows-1251", "windows-1253", "windows-1254", "windows-1255", "windows-1257",
    "windows-1258", "windows-874",
  ]

  /// The text of bytes; `nil` when they are not text in that encoding.
  static func text(of bytes: Data, in encoding: String.Encoding) -> String? {
    guard let name = encoding.charset else { return String(bytes: bytes, encoding: encoding) }
    return CharsetConversion(from: name, to: "UTF-8")?
      .convert(Array(bytes), passesControls: passingControls.contains(name))
      .map { String(decoding: $0, as: UTF8.self) }
  }

  /// The bytes of a text; `nil` when the encoding lacks one of its characters.
  static func bytes(of text: String, in encoding: String.Encoding) -> Data? {
    guard let name = encoding.charset else { return text.data(using: encoding) }
    return CharsetConversion(from: "UTF-8", to: name)?
      .convert(Array(text.utf8), passesControls: false).map { Data($0) }
  }

  /// All bytes converted; `nil` at the first that mean nothing.
  ///
  /// - Parameters:
  ///   - bytes: What to convert.
  ///   - passesControls: Whether bytes from 80 to 9F that the charset leaves undefined become control characters.
  /// - Returns: The converted bytes.
  private func convert(_ bytes: [UInt8], passesControls: Bool) -> [UInt8]? {
    var input = bytes
    // No encoding needs more than four bytes for a character, nor leaves a state of more.
    var output = [UInt8](repeating: 0, count: 4 * bytes.count + 16)
    var (inputLeft, outputLeft) = (input.count, output.count)
    let isWhole = input.withMutableCharacters { input in
      output.withMutableCharacters { output in
        var (source, target) = (input.baseAddress, output.baseAddress)
        // Above 0 are characters for which the C library has put in others.
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
  /// The bytes as the C library takes them.
  fileprivate mutating func withMutableCharacters<Result>(
    _ body: (UnsafeMutableBufferPointer<CChar>) -> Result
  ) -> Result {
    withUnsafeMutableBufferPointer { $0.withMemoryRebound(to: CChar.self, body) }
  }
}
#else
/// Text in any encoding that Foundation knows.
enum CharsetConversion {
  /// The text of bytes; `nil` when they are not text in that encoding.
  static func text(of bytes: Data, in encoding: String.Encoding) -> String? {
    String(bytes: bytes, encoding: encoding)
  }

  /// The bytes of a text; `nil` when the encoding lacks one of its characters.
  static func bytes(of text: String, in encoding: String.Encoding) -> Data? {
    text.data(using: encoding)
  }
}
#endif
