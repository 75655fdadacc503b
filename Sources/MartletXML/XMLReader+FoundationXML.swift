import Foundation
import MartletEssentials

#if canImport(FoundationXML)
import FoundationXML
#endif

/// Runs Foundation's event parser over a document that ``ValidatedXML`` accepts.
///
/// The parser's result is not reliable on Linux: the parser continues after errors, keeps only the last one, and may
/// return true in spite of an error. So the first error that is not harmless ends the parsing.
final class XMLReader: NSObject, XMLParserDelegate {
  private let handle: (XMLEvent) throws -> Void
  private let depthLimit: Int
  private var depth = 0
  private var hasRoot = false
  private var failure: (any Error)?

  init(depthLimit: Int, _ handle: @escaping (XMLEvent) throws -> Void) {
    self.depthLimit = depthLimit
    self.handle = handle
  }

  func read(_ document: Data) throws {
    let parser = XMLParser(data: document)
    parser.delegate = self
    parser.shouldResolveExternalEntities = false
    _ = parser.parse()
    if let failure { throw failure }
    guard hasRoot else { throw MartletError.notXML("it has no element") }
    guard depth == 0 else { throw MartletError.notXML("it ends before its elements do") }
  }

  private func deliver(_ event: XMLEvent, _ parser: XMLParser) {
    guard failure == nil else { return }
    do { try handle(event) } catch { fail(error, parser) }
  }

  private func fail(_ error: any Error, _ parser: XMLParser) {
    guard failure == nil else { return }
    failure = error
    parser.abortParsing()
  }

  // MARK: XMLParserDelegate

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
    qualifiedName: String?, attributes: [String: String]
  ) {
    hasRoot = true
    depth += 1
    guard depth <= depthLimit else {
      return fail(MartletError.notXML("it is nested more than \(depthLimit) deep"), parser)
    }
    deliver(.startElement(name: name, attributes: attributes), parser)
  }

  func parser(
    _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
  ) {
    depth -= 1
    deliver(.endElement(name: name), parser)
  }

  func parser(_ parser: XMLParser, foundCharacters text: String) {
    deliver(.text(text), parser)
  }

  func parser(_ parser: XMLParser, foundCDATA data: Data) {
    deliver(.text(String(decoding: data, as: UTF8.self)), parser)
  }

  func parser(_ parser: XMLParser, foundIgnorableWhitespace text: String) {
    deliver(.text(text), parser)
  }

  func parser(_ parser: XMLParser, foundComment comment: String) {
    deliver(.comment(comment), parser)
  }

  func parser(
    _ parser: XMLParser, foundProcessingInstructionWithTarget target: String, data: String?
  ) {
    deliver(.instruction(target: target, data: data.flatMap { $0.isEmpty ? nil : $0 }), parser)
  }

  func parser(_ parser: XMLParser, parseErrorOccurred error: any Error) {
    let fault = XMLFault(code: (error as NSError).code)
    guard !fault.isHarmless else { return }
    let isAfterRoot = hasRoot && depth == 0
    fail(
      MartletError.notXML(
        "\(fault.reason(isAfterRoot: isAfterRoot)), at line \(max(parser.lineNumber, 1))",
        underlying: error), parser)
  }
}

/// An error in a document, by its code in libxml2, which `XMLParser` passes on.
struct XMLFault {
  let code: Int

  /// Whether the document is well-formed in spite of the error: the error is about namespaces, which are not part of
  /// XML 1.0, or it is only a warning.
  var isHarmless: Bool {
    (97...102).contains(code) || (200...205).contains(code)
  }

  /// The reason for the error, as a clause.
  ///
  /// Code 5 stands both for a document that ends too early and for a document that continues after its end.
  func reason(isAfterRoot: Bool) -> String {
    switch code {
    case 4: "it does not begin with an element"
    case 5: isAfterRoot ? "something follows its last element" : "it ends before its elements do"
    case 6...9: "it holds a character that XML does not allow"
    case 22...28: "it uses an entity that it does not declare"
    case 38...41, 65: "an attribute is malformed"
    case 42: "an element has one attribute twice"
    case 45, 46...48, 80: "a comment or an instruction is malformed"
    case 62, 63: "a CDATA section is malformed"
    case 68, 73, 74, 75: "a tag is malformed"
    case 76, 77: "an end tag does not match its start tag"
    default: "it is malformed (error \(code) of the XML parser)"
    }
  }
}
