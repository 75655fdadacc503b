import Foundation
import Martlet
import MartletXML
import Testing

struct XMLEventSourceTests {
  @Test
  func `events come in order`() throws {
    let events = XMLEventSource("<?xml version='1.0'?><a b='1'>x<c/><!--d--><?e f?></a>")
    let expected: [XMLEvent] = [
      .startElement(name: "a", attributes: ["b": "1"]), .text("x"),
      .startElement(name: "c", attributes: [:]), .endElement(name: "c"), .comment("d"),
      .instruction(target: "e", data: "f"), .endElement(name: "a"),
    ]
    #expect(try events.all() == expected)
    #expect(try events.all() == expected)
  }

  @Test
  func `a closure that throws ends the events`() {
    struct Enough: Error {}
    var names: [String] = []
    #expect(throws: Enough.self) {
      try XMLEventSource("<a><b/><c/></a>").forEach { event in
        if case .startElement(let name, _) = event { names.append(name) }
        if names.last == "b" { throw Enough() }
      }
    }
    #expect(names == ["a", "b"])
  }

  @Test
  func `a document can be read while another is`() throws {
    var names: [String] = []
    try XMLEventSource("<a/>").forEach { event in
      for inner in try XMLEventSource("<b/>").all() + [event] {
        if case .startElement(let name, _) = inner { names.append(name) }
      }
    }
    #expect(names == ["b", "a", "b"])
  }

  @Test(arguments: [
    ("<foo", "a tag is malformed, at line 1"), ("", "it has no element"),
    (" ", "it has no element"),
    ("{}", "it has no element"), ("<a", "it has no element"),
    ("hello", "it does not begin with an element, at line 1"),
    ("<a>\n<b></a>", "an end tag does not match its start tag, at line 2"),
    ("<a>\n\n<b>x", "it ends before its elements do, at line 3"),
    ("<a/><b/>", "something follows its last element, at line 1"),
    ("<a/>junk", "something follows its last element, at line 1"),
    ("<a x='1' x='2'/>", "an element has one attribute twice, at line 1"),
    ("<a x=1/>", "an attribute is malformed, at line 1"),
    ("<a>&nbsp;</a>", "it uses an entity that it does not declare, at line 1"),
    ("<a>\u{1}</a>", "it holds a character that XML does not allow, at line 1"),
    ("<a><!-- x", "a comment or an instruction is malformed, at line 1"),
    ("<a><![CDATA[x", "it ends before its elements do, at line 1"),
    ("<html><br></html>", "an end tag does not match its start tag, at line 1"),
  ])
  func `what is malformed is said in a sentence`(text: String, expected: String) {
    #expect(reason { try XMLEventSource(text).all() } == expected)
    #expect(reason { try XML(text: text) } == expected)
  }

  @Test
  func `the error has its cause`() {
    let error = failure { try XML(text: "<a><b></a>") }
    #expect(error?.code == .decodingFailed)
    #expect((error?.underlying as NSError?)?.code == 76)
  }

  @Test(arguments: ["<p:a/>", "<a xmlns='relative'/>"])
  func `namespaces that make no sense are no error`(text: String) throws {
    #expect(try XML(text: text).description == text.replacing("'", with: "\""))
  }
}
