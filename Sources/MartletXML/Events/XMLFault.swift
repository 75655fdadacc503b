/// What is wrong with a document, by its number in libxml2, which XMLParser hands on.
struct XMLFault {
  let code: Int

  /// Whether the document is well-formed all the same: its namespaces are not (XML 1.0 knows none), or the
  /// parser only warns.
  var isHarmless: Bool {
    (97...102).contains(code) || (200...205).contains(code)
  }

  /// What is wrong, as a clause.
  ///
  /// Errors at the end of a document have one number, whether it comes too early or too late.
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
