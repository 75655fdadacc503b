import Foundation
import Martlet
import MartletXML
import Testing

/// Documents that swell, read files, or bring Foundation's parser down.
struct HostileXMLTests {
  private static let objection =
    "its document type declaration has an internal subset, which could make the document grow without limit or read files"

  /// A billion laughs.
  private static let bomb: String = {
    let levels = (1...9).map { level in
      "<!ENTITY l\(level) \"\(String(repeating: "&l\(level - 1);", count: 10))\">"
    }
    return "<!DOCTYPE l [<!ENTITY l0 \"lol\">\(levels.joined())]><l>&l9;</l>"
  }()

  @Test(arguments: [
    bomb, bomb.replacing("<l>&l9;</l>", with: "<l a='&l9;'/>"),
    "<?xml version='1.0'?>\n<!-- > --><?p ?>\(bomb)",
    "<!DOCTYPE l [<!ENTITY x SYSTEM \"file:///etc/passwd\">]><l>&x;</l>",
    "<!DOCTYPE l [<!ENTITY % p SYSTEM \"file:///etc/passwd\"> %p;]><l/>",
    "<!DOCTYPE l SYSTEM \"a>b\" [<!NOTATION n SYSTEM \"x\">]><l/>",
    "<!DOCTYPE l SYSTEM '\">' [<!NOTATION n SYSTEM \"x\">]><l/>",
    "<!DOCTYPE l PUBLIC \"'\" '\">' [<!NOTATION n SYSTEM \"x\">]><l/>",
    "<!DOCTYPE l [<!ATTLIST l a (a|b) #IMPLIED>]><l/>",
    "<!DOCTYPE l><!DOCTYPE l [<!NOTATION n SYSTEM \"x\">]><l/>", "<!DOCTYPE l [",
  ])
  func `a document type of the document's own is refused`(text: String) throws {
    #expect(reason { try XML(text: text) } == Self.objection)
    let wide = try #require(text.data(using: .utf16))
    #expect(reason { try XML(parsing: wide) } == Self.objection)
  }

  @Test
  func `a declaration in disguise is refused`() {
    // UTF-7, which the parser would read if the declaration reached it.
    let text = "<?xml version='1.0' encoding='utf-7'?>+ADwAIQ-DOCTYPE l +AFs-]><l/>"
    #expect(reason { try XML(text: text) } == "the charset “utf-7” is not known")
    #expect(
      reason { try XMLEventSource(Data(text.utf8), charset: "utf-8").all() }
        == "it does not begin with an element, at line 1")
  }

  @Test
  func `a document type that is elsewhere is not visited`() throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try Data("<!ENTITY x \"from a file\">".utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let type = "<!DOCTYPE l SYSTEM \"\(file.absoluteString)\">"
    #expect(try XML(text: type + "<l>y</l>").text == "y")
    #expect(
      reason { try XML(text: type + "<l>&x;</l>") }
        == "it uses an entity that it does not declare, at line 1")
  }

  @Test(arguments: [
    "PUBLIC \"-//O'Reilly//DTD\" \"http://h/a.dtd\"", "SYSTEM 'http://h/\"a.dtd'",
    "SYSTEM \"http://h/o'reilly.dtd\"",
  ])
  func `an identifier may hold the other quotation mark`(identifiers: String) throws {
    #expect(try XML(text: "<!DOCTYPE l \(identifiers)><l>y</l>").text == "y")
  }

  @Test
  func `elements nest 512 deep and no deeper`() throws {
    let nested = { (depth: Int) in
      String(repeating: "<a>", count: depth) + String(repeating: "</a>", count: depth)
    }
    #expect(try XML(text: nested(512)).description.utf8.count == 511 * 7 + 4)
    #expect(reason { try XML(text: nested(513)) } == "it is nested more than 512 deep")
    #expect(
      reason { try XML(text: String(repeating: "<a>", count: 100_000)) }
        == "it is nested more than 512 deep")
  }

  @Test
  func `an element has at most 1000 attributes`() throws {
    let attributes = { (count: Int) in (1...count).map { " a\($0)='>='" }.joined() }
    #expect(try XML(text: "<a\(attributes(1000))/>").attributes.count == 1000)
    #expect(
      reason { try XML(text: "<b/><a\(attributes(1001))/>") }
        == "an element has more than 1000 attributes")
    let text = "<a b=\"'\">\(String(repeating: "=", count: 2000))</a>"
    #expect(try XML(text: text).text.count == 2000)
  }

  @Test(.timeLimit(.minutes(1)))
  func `a hundred thousand attributes are refused at once`() {
    let attributes = (1...100_000).map { " a\($0)=''" }.joined()
    #expect(
      reason { try XML(text: "<a\(attributes)/>") } == "an element has more than 1000 attributes")
  }

  @Test(.timeLimit(.minutes(1)))
  func `many namespaces and many elements that declare one take linear time`() throws {
    let levels = (1...40).map { level in
      "<a" + (1...1000).map { " xmlns:p\(level).\($0)='u'" }.joined() + ">"
    }
    let children = String(repeating: "<b xmlns='v'/>", count: 20_000)
    let text = levels.joined() + children + String(repeating: "</a>", count: 40)
    var element: XML? = try XML(text: text)
    for _ in 1..<40 { element = element["a"] }
    #expect(element?.elements.last?.namespace == "v")
  }

  @Test(.timeLimit(.minutes(1)))
  func `a declaration without end takes linear time`() throws {
    let blanks = String(repeating: " ", count: 512 << 10)
    #expect(try XML(text: "<?xml version='1.0'\(blanks)?><a/>") == XML("a"))
  }

  @Test
  func `wide documents take linear time`() throws {
    let text = "<a>" + String(repeating: "<b c='d'>e</b>", count: 20_000) + "</a>"
    #expect(try XML(text: text).elements.count == 20_000)
  }

  @Test(arguments: ["<?q?><a/>", "<a><?q?></a>", "<a/><?q?>", "<a><!-- <?q?> --><?q?></a>"])
  func `an instruction needs no data`(text: String) throws {
    let instruction = XMLEvent.instruction(target: "q", data: nil)
    #expect(try XMLEventSource(text).all().contains(instruction))
  }

  @Test
  func `what looks like an instruction is left alone in text and comments`() throws {
    let text = "<a><![CDATA[<?q?>]]><!--<?q?><!DOCTYPE a [--></a>"
    #expect(try XML(text: text).text == "<?q?>")
    #expect(try XMLEventSource(text).all().contains(.comment("<?q?><!DOCTYPE a [")))
  }
}
