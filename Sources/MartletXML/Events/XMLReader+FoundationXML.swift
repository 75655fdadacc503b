import Foundation
import Martlet

#if canImport(FoundationXML)
import FoundationXML
#endif

/// Runs Foundation's event parser over a document that ``VettedXML`` has nothing against.
///
/// The parser's own verdict is not enough: on Linux it goes on after errors, forgets them when others
/// follow, and may return true with one left. So the first that matters ends the reading.
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

  private func tell(_ event: XMLEvent, _ parser: XMLParser) {
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
    tell(.startElement(name: name, attributes: attributes), parser)
  }

  func parser(
    _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
  ) {
    depth -= 1
    tell(.endElement(name: name), parser)
  }

  func parser(_ parser: XMLParser, foundCharacters text: String) {
    tell(.text(text), parser)
  }

  func parser(_ parser: XMLParser, foundCDATA data: Data) {
    tell(.text(String(decoding: data, as: UTF8.self)), parser)
  }

  func parser(_ parser: XMLParser, foundIgnorableWhitespace text: String) {
    tell(.text(text), parser)
  }

  func parser(_ parser: XMLParser, foundComment comment: String) {
    tell(.comment(comment), parser)
  }

  func parser(
    _ parser: XMLParser, foundProcessingInstructionWithTarget target: String, data: String?
  ) {
    tell(.instruction(target: target, data: data.flatMap { $0.isEmpty ? nil : $0 }), parser)
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
