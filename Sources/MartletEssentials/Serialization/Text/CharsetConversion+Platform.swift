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

  /// The text of bytes; `nil` when they are not text in that encoding.
  static func text(of bytes: Data, in encoding: String.Encoding) -> String? {
    guard let name = encoding.charset else { return String(bytes: bytes, encoding: encoding) }
    return CharsetConversion(from: name, to: "UTF-8")?.convert(Array(bytes))
      .map { String(decoding: $0, as: UTF8.self) }
  }

  /// The bytes of a text; `nil` when the encoding lacks one of its characters.
  static func bytes(of text: String, in encoding: String.Encoding) -> Data? {
    guard let name = encoding.charset else { return text.data(using: encoding) }
    return CharsetConversion(from: "UTF-8", to: name)?.convert(Array(text.utf8)).map { Data($0) }
  }

  /// All bytes converted; `nil` at the first that mean nothing.
  private func convert(_ bytes: [UInt8]) -> [UInt8]? {
    var input = bytes.map { CChar(bitPattern: $0) }
    // No encoding needs more than four bytes for a character, nor leaves a state of more.
    var output = [CChar](repeating: 0, count: 4 * bytes.count + 16)
    var (inputLeft, outputLeft) = (input.count, output.count)
    let isWhole = input.withUnsafeMutableBufferPointer { input in
      output.withUnsafeMutableBufferPointer { output in
        var (source, target) = (input.baseAddress, output.baseAddress)
        guard iconv(conversion, &source, &inputLeft, &target, &outputLeft) != -1 else {
          return false
        }
        return iconv(conversion, nil, nil, &target, &outputLeft) != -1
      }
    }
    guard isWhole else { return nil }
    return output.prefix(output.count - outputLeft).map { UInt8(bitPattern: $0) }
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
