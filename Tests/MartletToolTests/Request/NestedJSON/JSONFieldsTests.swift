import Testing

@testable import MartletTool

/// Fields that nest, as HTTPie's do.
struct JSONFieldsTests {
  private func json(_ words: [String]) throws -> String {
    try JSONFields(words.map { word throws(ToolFailure) in try RequestItem(word) }).text
  }

  @Test(
    arguments: [
      // Objects.
      (["user[name]=Ada"], #"{"user": {"name": "Ada"}}"#),
      (
        ["user[name]=Ada", "user[born]:=1815", "ok:=true"],
        #"{"user": {"name": "Ada", "born": 1815}, "ok": true}"#
      ),
      (["a[b][c][d]=x"], #"{"a": {"b": {"c": {"d": "x"}}}}"#),
      (["a[b]=1", "c=2", "a[b]=3"], #"{"a": {"b": "3"}, "c": "2"}"#),
      (["a[two words]=1", "a[!]=2"], #"{"a": {"two words": "1", "!": "2"}}"#),
      (["=empty", "a=1"], #"{"": "empty", "a": "1"}"#),
      ([":=[1, 2]"], #"{"": [1, 2]}"#),
      (["007=Bond"], #"{"007": "Bond"}"#),
      // Arrays.
      (["a[]=1", "a[]:=2", "a[]:=null"], #"{"a": ["1", 2, null]}"#),
      (["a[1]=x", "a[0]=y"], #"{"a": ["y", "x"]}"#),
      (["a[2]=x"], #"{"a": [null, null, "x"]}"#),
      (["a[]=x", "a[2]=y", "a[]=z"], #"{"a": ["x", null, "y", "z"]}"#),
      (["a[0]=x", "a[0]=y"], #"{"a": ["y"]}"#),
      (["a[][]=1", "a[][]=2"], #"{"a": [["1"], ["2"]]}"#),
      (["a[0][b]=1", "a[0][c]=2", "a[][b]=3"], #"{"a": [{"b": "1", "c": "2"}, {"b": "3"}]}"#),
      (["a[1][b]=x", "a[0][b]=y"], #"{"a": [{"b": "y"}, {"b": "x"}]}"#),
      // The body itself.
      (["[]=1", "[]:=2"], #"["1", 2]"#),
      (["[1]=x"], #"[null, "x"]"#),
      (["[][a]=1", "[0][b]=2"], #"[{"a": "1", "b": "2"}]"#),
      // Brackets, backslashes and numbers that belong to a name.
      ([#"a\[b\]=1"#], #"{"a[b]": "1"}"#),
      ([#"a[\[b\]]=1"#], #"{"a": {"[b]": "1"}}"#),
      ([#"a[\1]=x"#, #"\2=y"#], #"{"a": {"1": "x"}, "2": "y"}"#),
      ([#"a[\-1]=x"#], #"{"a": {"-1": "x"}}"#),
      ([#"a[\\1]=x"#], #"{"a": {"\\1": "x"}}"#),
      ([#"a\\=x"#], #"{"a\\": "x"}"#),
      ([#"a[b\=c]=x"#, #"a[d\:e]=y"#], #"{"a": {"b=c": "x", "d:e": "y"}}"#),
      ([#"C:\dir[x]=1"#.replacing("C:", with: #"C\:"#)], #"{"C:\\dir": {"x": "1"}}"#),
      // Raw JSON, as it was written, until a field goes into it.
      ([#"a:={"b" : 1.50}"#], #"{"a": {"b" : 1.50}}"#),
      ([#"a:={"b" : 1.50}"#, "a[c]=x"], #"{"a": {"b": 1.50, "c": "x"}}"#),
      ([#"a:={"b":{"c" : [1.0]}}"#, "a[d]=x"], #"{"a": {"b": {"c" : [1.0]}, "d": "x"}}"#),
      ([#"a:=[1e3, [ 2 ]]"#, "a[1][]=x", "a[]=y"], #"{"a": [1e3, [2, "x"], "y"]}"#),
      ([#"a:={"\u0062":1}"#, "a[b]:=2"], #"{"a": {"b": 2}}"#),
      ([#"a:={"\ud800":1}"#, "a[b]:=2"], #"{"a": {"\ud800": 1, "b": 2}}"#),
      ([#"a:=[{}, []]"#, "a[0][b]=1", "a[1][]=2"], #"{"a": [{"b": "1"}, ["2"]]}"#),
      (["a:=null", "a[b]=1"], #"{"a": {"b": "1"}}"#),
      (["a:={}", "a=1"], #"{"a": "1"}"#),
    ] as [([String], String)])
  func `a field goes where its name says`(words: [String], text: String) throws {
    #expect(try json(words) == text)
    #expect(JSONPrinter.isJSON(text))
  }

  @Test(
    arguments: [
      (
        ["a=1", "a[b]=2"], "“a” is a string already, and this field needs an object there",
        "a[b]", " ^^^"
      ),
      (
        ["a:=1", "a[]=2"], "“a” is a number already, and this field needs an array there", "a[]",
        " ^^"
      ),
      (
        ["a:=true", "a[0]=2"], "“a” is a boolean already, and this field needs an array there",
        "a[0]", " ^^^"
      ),
      (
        ["a[b]=1", "a[0][c]=2"], "“a” is an object already, and this field needs an array there",
        "a[0][c]", " ^^^"
      ),
      (
        ["a[0][b]=1", "a[0][]=2"],
        "“a[0]” is an object already, and this field needs an array there", "a[0][]", "    ^^"
      ),
      (
        ["a:=[1]", "a[x]=2"], "“a” is an array already, and this field needs an object there",
        "a[x]", " ^^^"
      ),
      (
        ["[]=1", "name=2"], "The body is an array already, and this field needs an object there",
        "name", "^^^^"
      ),
      (
        ["a=1", "[]=2"], "The body is an object already, and this field needs an array there",
        "[]", "^^"
      ),
    ] as [([String], String, String, String)])
  func `a field that needs something else than what is there is refused`(
    words: [String], sentence: String, name: String, underline: String
  ) {
    let message = "\(sentence): give it another name.\n  \(name)\n  \(underline)"
    #expect(throws: ToolFailure.usage(message)) { try json(words) }
  }

  @Test func `many fields cost no more than their number`() throws {
    let text = try json((0..<20_000).map { "a[b][]=\($0)" })
    #expect(text.hasPrefix(#"{"a": {"b": ["0", "1", "#) && text.hasSuffix(#""19999"]}}"#))
  }
}
