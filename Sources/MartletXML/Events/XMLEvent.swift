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
