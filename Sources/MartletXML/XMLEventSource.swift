public import Foundation
import MartletEssentials

/// The events of an XML document, to be read one after the other.
///
///     var count = 0
///     try events.forEach { event in
///       if case .startElement("item", _) = event { count += 1 }
///     }
///
/// Nothing is read before ``forEach(_:)``, which may be called again. External entities are never loaded,
/// and a document that declares entities of its own is refused.
public struct XMLEventSource: Hashable, Sendable {
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
    let document = ValidatedXML(try XMLText(data, charset: charset).utf8)
    if let objection = document.rejectionReason { throw MartletError.notXML(objection) }
    try withoutActuallyEscaping(body) { body in
      try XMLReader(depthLimit: Self.depthLimit, body).read(Data(document.bytes))
    }
  }
}

/// What comes next in an XML document.
public enum XMLEvent: Hashable, Sendable {
  /// An element begins. Names are as they are written; declarations of namespaces are among the
  /// attributes.
  case startElement(name: String, attributes: [String: String])
  /// An element ends.
  case endElement(name: String)
  /// Text, that of CDATA sections included. What belongs together may come in pieces.
  case text(String)
  /// A comment.
  case comment(String)
  /// A processing instruction.
  case instruction(target: String, data: String?)
}

extension MartletError {
  /// A document that cannot be read. The reason is a clause.
  static func notXML(_ reason: String, underlying: (any Error)? = nil) -> MartletError {
    undecodable(as: "XML", reason, underlying: underlying)
  }
}
