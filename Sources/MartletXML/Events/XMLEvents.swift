public import Foundation
import Martlet

/// The events of an XML document, to be read one after the other.
///
///     var count = 0
///     try events.forEach { event in
///       if case .startElement("item", _) = event { count += 1 }
///     }
///
/// Nothing is read before ``forEach(_:)``, which may be called again. External entities are never loaded,
/// and a document that declares entities of its own is refused.
public struct XMLEvents: Hashable, Sendable {
  private let data: Data
  private let charset: String?

  /// How deep elements may nest.
  static let depthLimit = 512

  /// The events of a document.
  ///
  /// - Parameters:
  ///   - data: The document, which need not be one yet.
  ///   - charset: The charset that the response names. The default, `nil`, is none.
  public init(_ data: Data, charset: String? = nil) {
    self.data = data
    self.charset = charset
  }

  /// Reads the document.
  ///
  /// - Parameter body: Called with each event, in order; to stop, it throws.
  /// - Throws: What `body` throws; `MartletError` with code `.decodingFailed` when the document is
  ///   malformed, nested more than 512 deep, or declares a document type of its own. The events up to
  ///   there have been told.
  public func forEach(_ body: (XMLEvent) throws -> Void) throws {
    let document = VettedXML(try XMLText(data, charset: charset).utf8)
    if let objection = document.objection { throw MartletError.notXML(objection) }
    try withoutActuallyEscaping(body) { body in
      try XMLReader(depthLimit: Self.depthLimit, body).read(Data(document.bytes))
    }
  }
}
