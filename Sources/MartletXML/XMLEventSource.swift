public import Foundation
import MartletEssentials

/// The events of an XML document, to be read one after the other.
///
///     var count = 0
///     try events.forEach { event in
///       if case .startElement("item", _) = event { count += 1 }
///     }
///
/// ``forEach(_:)`` reads the document, and may be called more than once. External entities are never loaded, and a
/// document that declares entities of its own is rejected.
public struct XMLEventSource: Hashable, Sendable {
  private let data: Data
  private let charset: String?

  /// The maximum number of nested levels of elements.
  static let depthLimit = 512

  /// The events of a document.
  ///
  /// - Parameters:
  ///   - data: The document. It is not checked before ``forEach(_:)`` is called.
  ///   - charset: The charset that the response names. The default, `nil`, is none.
  public init(_ data: Data, charset: String? = nil) {
    self.data = data
    self.charset = charset
  }

  /// Reads the document.
  ///
  /// - Parameter body: A closure that is called with each event, in order. To stop, it throws.
  /// - Throws: The error of `body`; `MartletError` with code `.decodingFailed` when the document is malformed, has more
  ///   than 512 nested levels, an element with more than 1000 attributes, or a document type declaration with an
  ///   internal subset. By then, `body` may already have received events.
  public func forEach(_ body: (XMLEvent) throws -> Void) throws {
    let document = ValidatedXML(try XMLText(data, charset: charset).utf8)
    if let objection = document.rejectionReason { throw MartletError.notXML(objection) }
    try withoutActuallyEscaping(body) { body in
      try XMLReader(depthLimit: Self.depthLimit, body).read(Data(document.bytes))
    }
  }
}

/// An event in an XML document.
public enum XMLEvent: Hashable, Sendable {
  /// An element begins. Names are as they are written. The attributes include declarations of namespaces.
  case startElement(name: String, attributes: [String: String])
  /// An element ends.
  case endElement(name: String)
  /// Text, including that of CDATA sections. One text may arrive in several events.
  case text(String)
  /// A comment.
  case comment(String)
  /// A processing instruction.
  case instruction(target: String, data: String?)
}

extension MartletError {
  /// The error for a document that cannot be read. The reason is a clause.
  static func notXML(_ reason: String, underlying: (any Error)? = nil) -> MartletError {
    undecodable(as: "XML", reason, underlying: underlying)
  }
}
