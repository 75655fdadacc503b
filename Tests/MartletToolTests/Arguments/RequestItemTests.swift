import Testing

@testable import MartletTool

struct RequestItemTests {
  @Test func `each separator makes its kind of item`() throws {
    #expect(try RequestItem("X-Trace:42") == .header("X-Trace", .text("42")))
    #expect(try RequestItem("Accept:") == .removedHeader("Accept"))
    #expect(try RequestItem("Accept;") == .emptyHeader("Accept"))
    #expect(try RequestItem("q==tern") == .query("q", .text("tern")))
    #expect(try RequestItem("name=Tern") == .field("name", .text("Tern")))
    #expect(try RequestItem("grams:=120") == .json("grams", .text("120")))
  }

  @Test func `an at sign behind the separator names a file`() throws {
    #expect(try RequestItem("X-Key:@key.txt") == .header("X-Key", .file("key.txt")))
    #expect(try RequestItem("q==@q.txt") == .query("q", .file("q.txt")))
    #expect(try RequestItem("name=@n.txt") == .field("name", .file("n.txt")))
    #expect(try RequestItem("bird:=@b.json") == .json("bird", .file("b.json")))
  }

  @Test func `the earliest separator wins`() throws {
    #expect(try RequestItem("a=b:c") == .field("a", .text("b:c")))
    #expect(try RequestItem("a:b=c") == .header("a", .text("b=c")))
    #expect(try RequestItem("url=http://h/?a==b") == .field("url", .text("http://h/?a==b")))
    #expect(try RequestItem("a==b:=c") == .query("a", .text("b:=c")))
    #expect(try RequestItem("a=b@c") == .field("a", .text("b@c")))
  }

  @Test func `the longest of the separators that begin together wins`() throws {
    #expect(try RequestItem("a===b") == .query("a", .text("=b")))
    #expect(try RequestItem("a:==b") == .json("a", .text("=b")))
  }

  @Test func `a backslash makes a separator a part of the name`() throws {
    #expect(try RequestItem(#"a\:b=c"#) == .field("a:b", .text("c")))
    #expect(try RequestItem(#"a\=\=b==c"#) == .query("a==b", .text("c")))
    #expect(try RequestItem(#"a\:=b"#) == .field("a:", .text("b")))
    #expect(try RequestItem(#"user\@host=x"#) == .field("user@host", .text("x")))
  }

  @Test func `a backslash before a backslash leaves the separator its meaning`() throws {
    #expect(try RequestItem(#"a\\=b"#) == .field(#"a\\"#, .text("b")))
    #expect(try RequestItem(#"a[\\\=]=b"#) == .field(#"a[\\=]"#, .text("b")))
  }

  @Test func `a field may have no name, and a file without one is the whole body`() throws {
    #expect(try RequestItem("=x") == .field("", .text("x")))
    #expect(try RequestItem(":=[1]") == .json("", .text("[1]")))
    #expect(try RequestItem("@a/b.json") == .body(path: "a/b.json", type: nil))
    #expect(
      try RequestItem("@b;type=text/plain") == .body(path: "b", type: "text/plain"))
  }

  @Test func `any other backslash is itself`() throws {
    #expect(try RequestItem(#"path=C:\dir\new"#) == .field("path", .text(#"C:\dir\new"#)))
    #expect(try RequestItem(#"a\b=c"#) == .field(#"a\b"#, .text("c")))
  }

  @Test func `values may be empty`() throws {
    #expect(try RequestItem("a=") == .field("a", .text("")))
    #expect(try RequestItem("a==") == .query("a", .text("")))
  }

  @Test func `blanks around a header's value are no part of it, line breaks are`() throws {
    #expect(try RequestItem("X-Trace: a b ") == .header("X-Trace", .text("a b")))
    #expect(try RequestItem("X:a\r\nb") == .header("X", .text("a\r\nb")))
    #expect(try RequestItem("X:a\r\n") == .header("X", .text("a\r\n")))
  }

  @Test func `letters with accents and emoji are kept whole`() throws {
    #expect(try RequestItem("vögel=🐦‍⬛") == .field("vögel", .text("🐦‍⬛")))
    #expect(try RequestItem("a=\u{301}") == .field("a", .text("\u{301}")))
  }

  @Test func `a file may say what type it is`() throws {
    #expect(
      try RequestItem("photo@a/tern.jpg") == .file("photo", path: "a/tern.jpg", type: nil))
    #expect(
      try RequestItem("a@b;type=c;type=image/png")
        == .file("a", path: "b;type=c", type: "image/png"))
  }

  @Test(arguments: [
    (
      "tern",
      "“tern” is not an item: write Header:value, name==value, field=value, field:=json or field@file."
    ),
    (
      "==x",
      "The item “==x” has no name before “==”: write one, or escape the separator with a backslash."
    ),
    (
      ":x",
      "The item “:x” has no name before “:”: write one, or escape the separator with a backslash."
    ),
    (
      "Accept;x",
      "The item “Accept;x” has a value after “;”: write Header; for an empty header, or Header:value to send a value."
    ),
  ])
  func `what is no item is refused with a sentence`(text: String, sentence: String) {
    #expect(throws: ToolFailure.usage(sentence)) { try RequestItem(text) }
  }
}
