import Foundation
import MartletXML
import Testing

struct XMLTests {
  private let feed = """
    <?xml version="1.0"?>
    <!DOCTYPE rss PUBLIC "-//X//DTD RSS//EN" "http://127.0.0.1:1/rss.dtd">
    <!-- about -->
    <rss version="2.0" xmlns:dc="urn:dc">
      <channel>
        <item id="1"><title>One &amp; only</title><dc:date>today</dc:date></item>
        <item id="2"><title><![CDATA[<Two>]]></title></item>
      </channel>
    </rss>
    """

  @Test
  func `elements lead down, and to nothing where there is nothing`() throws {
    let rss = try XML(text: feed)
    #expect(rss.name == "rss")
    #expect(rss.attributes["version"] == "2.0")
    #expect(rss["channel"].elements("item").map { $0["title"].text } == ["One & only", "<Two>"])
    #expect(rss["channel"]?.elements.map { $0.attributes["id"] } == ["1", "2"])
    #expect(rss["channel"]["item"]["title"]?.text == "One & only")
    #expect(rss["nothing"]["at all"] == nil)
    #expect(rss["nothing"].text == "")
    #expect(rss["nothing"].elements("x").isEmpty)
  }

  @Test
  func `names have their namespace`() throws {
    let date = try #require(try XML(text: feed)["channel"]["item"]["dc:date"])
    #expect(date.namespace == "urn:dc")
    #expect(date.localName == "date")
    let xml = try XML(text: "<a xmlns='urn:a'><b xmlns=''><c/></b><d/><p:e/></a>")
    #expect(xml.namespace == "urn:a")
    #expect(xml["b"]?.namespace == nil)
    #expect(xml["b"]["c"]?.namespace == nil)
    #expect(xml["d"]?.namespace == "urn:a")
    #expect(xml["p:e"]?.namespace == nil)
    #expect(xml.localName == "a")
  }

  @Test
  func `white space, comments and instructions are kept when that is asked for`() throws {
    let text = "<a> <!--c--> <?p d?><?q?><b/>\n</a>"
    #expect(try XML(text: text).children == [.element(XML("b"))])
    #expect(
      try XML(text: text, options: .keepsComments).children == [.comment("c"), .element(XML("b"))])
    #expect(
      try XML(text: text, options: [.keepsWhitespace, .keepsInstructions]).children
        == [
          .text("  "), .instruction(target: "p", data: "d"), .instruction(target: "q", data: nil),
          .element(XML("b")), .text("\n"),
        ])
  }

  @Test
  func `text is whole, whatever it is made of`() throws {
    let xml = try XML(text: "<a>x &lt; y<!--c--> &#x41;<![CDATA[&amp;]]>é</a>")
    #expect(xml.children == [.text("x < y A&amp;é")])
  }

  @Test(arguments: [
    "<a/>", "<a b=\"1\" c=\"&quot;&lt;é\">x &amp; y<d>z</d>!</a>", "<p:a xmlns:p=\"u\"/>",
    "<a>\u{1F426}&#13;&gt;</a>", "<a b=\"&#10;&#9;&#13;\"/>",
  ])
  func `it describes itself as XML`(text: String) throws {
    #expect(try XML(text: text).description == text)
  }

  @Test
  func `nodes describe themselves as XML`() throws {
    let xml = try XML(
      text:
        "<a><!--c--><?p d?><?q?>x</a>", options: [.keepsComments, .keepsInstructions])
    #expect(xml.children.map(\.description) == ["<!--c-->", "<?p d?>", "<?q?>", "x"])
    #expect(xml.description == "<a><!--c--><?p d?><?q?>x</a>")
  }

  @Test
  func `elements are equal when all of them is`() throws {
    #expect(try XML(text: "<a b='1' c='2'><d/></a>") == XML(text: "<a c='2' b=\"1\"><d></d></a>"))
    #expect(try XML(text: "<a><b/></a>") != XML(text: "<a><c/></a>"))
    #expect(XML("a", children: [.text("x")]).text == "x")
  }
}
