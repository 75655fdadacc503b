public import Foundation
public import Martlet

extension XML {
  /// What is kept of a document besides elements and their text.
  public struct ReadingOptions: OptionSet, Hashable, Codable, Sendable {
    /// The options as bits.
    public let rawValue: Int

    /// Options from their bits.
    public init(rawValue: Int) {
      self.rawValue = rawValue
    }

    /// Text of nothing but white space is kept, such as that between elements.
    public static let keepsWhitespace = ReadingOptions(rawValue: 1)
    /// Comments inside of the document's element are kept.
    public static let keepsComments = ReadingOptions(rawValue: 2)
    /// Processing instructions inside of the document's element are kept.
    public static let keepsInstructions = ReadingOptions(rawValue: 4)
  }

  /// The element of a document.
  ///
  /// - Parameters:
  ///   - data: The document. Its encoding is that of its byte-order mark, else `charset`, else what it
  ///     declares, else UTF-8 (RFC 7303 §3).
  ///   - charset: The charset that the response names. The default, `nil`, is none.
  ///   - options: What is kept besides elements and their text. The default is nothing.
  /// - Throws: `MartletError` with code `.decodingFailed` when the document is malformed, nested more
  ///   than 512 deep, or declares a document type of its own.
  public init(parsing data: Data, charset: String? = nil, options: ReadingOptions = [])
    throws(MartletError)
  {
    var builder = XMLBuilder(options: options)
    do {
      try XMLEvents(data, charset: charset).forEach { builder.take($0) }
    } catch {
      throw error as? MartletError ?? .notXML("\(error)")
    }
    guard let root = builder.root else { throw .notXML("it has no element") }
    self = root
  }
}
