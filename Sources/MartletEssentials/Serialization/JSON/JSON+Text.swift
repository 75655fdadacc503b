public import EssentialFoundation
public import MartletCore

extension JSON: CustomStringConvertible {
  /// Options for reading JSON text.
  public struct ReadingOptions: OptionSet, Hashable, Sendable {
    /// The options as bits, with the values of Foundation's `JSONSerialization`.
    public let rawValue: UInt

    /// Options from bits.
    public init(rawValue: UInt) {
      self.rawValue = rawValue
    }

    /// The text may be any value, and not only an object or an array.
    public static let fragmentsAllowed = ReadingOptions(rawValue: 1 << 2)
  }

  /// The value of a JSON text in UTF-8, UTF-16 or UTF-32 (RES-J4).
  ///
  /// - Parameters:
  ///   - data: The text.
  ///   - options: `.fragmentsAllowed` accepts any value. The default accepts only objects and arrays.
  /// - Throws: `MartletError` with code `.decodingFailed` when the text is malformed, is nested more than 512 deep, or
  ///   contains a number that is too large for a `Double`, or a name with more than 128 combining marks in sequence.
  public init(parsing data: Data, options: ReadingOptions = []) throws(MartletError) {
    do throws(JSONReader.Problem) {
      self = try JSONReader.read(
        Self.utf8(data), allowsFragments: options.contains(.fragmentsAllowed))
    } catch {
      throw .notJSON(error)
    }
  }

  /// Returns the text in UTF-8, converted from its encoding.
  private static func utf8(_ data: Data) throws(JSONReader.Problem) -> [UInt8] {
    let mark = ByteOrderMark(data)
    let encoding = mark?.encoding ?? encoding(withoutMark: data)
    guard encoding != .utf8 else { return Array(data.dropFirst(mark?.size ?? 0)) }
    do throws(TextEncoding.Failure) {
      return Array(try encoding.text(of: data).utf8)
    } catch {
      throw JSONReader.Problem(description: error.reason)
    }
  }

  /// Returns the encoding, found by the positions of zero bytes at the beginning: the first character is in ASCII (RFC
  /// 4627 §3).
  private static func encoding(withoutMark data: Data) -> TextEncoding {
    switch data.prefix(4).map({ $0 == 0 }) {
    case [true, true, true, false]: TextEncoding(.utf32BigEndian, name: "UTF-32")
    case [false, true, true, true]: TextEncoding(.utf32LittleEndian, name: "UTF-32")
    case let isZero where isZero.starts(with: [true, false]):
      TextEncoding(.utf16BigEndian, name: "UTF-16")
    case let isZero where isZero.starts(with: [false, true]):
      TextEncoding(.utf16LittleEndian, name: "UTF-16")
    default: .utf8
    }
  }

  /// The value as JSON text in UTF-8, with the entries of objects sorted by name.
  ///
  /// - Parameter options: The layout. The default is compact, with slashes escaped.
  /// - Returns: The text. Numbers that are not finite become `null`, because JSON cannot represent them.
  public func data(options: JSONEncoder.OutputFormatting = []) -> Data {
    Data(JSONWriter.write(self, options: options))
  }

  /// The value as compact JSON text.
  public var description: String {
    String(decoding: JSONWriter.write(self, options: .withoutEscapingSlashes), as: UTF8.self)
  }
}
