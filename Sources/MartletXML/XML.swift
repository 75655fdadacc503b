/// An element of an XML document, with its attributes and child nodes.
///
///     let feed = try XML(parsing: data)
///     let titles = feed["channel"].elements("item").map { $0["title"].text }
public struct XML: Hashable, Sendable {
  /// The name as it is written, with its prefix if it has one.
  public let name: String
  /// The namespace of the name, if it has one.
  public let namespace: String?
  /// The attributes by their names as written. They include declarations of namespaces.
  public let attributes: [String: String]
  /// The child nodes, in order.
  public let children: [Node]

  /// A node inside an element.
  public enum Node: Hashable, Sendable {
    /// Another element.
    case element(XML)
    /// Text, including that of CDATA sections.
    case text(String)
    /// A comment. Comments are kept only with `ReadingOptions.keepsComments`.
    case comment(String)
    /// A processing instruction. Instructions are kept only with `ReadingOptions.keepsInstructions`.
    case instruction(target: String, data: String?)
  }

  /// An element from its parts.
  ///
  /// - Parameters:
  ///   - name: The name as it is written, with its prefix if it has one.
  ///   - namespace: The namespace of the name. The default is none.
  ///   - attributes: The attributes by name. The default is none.
  ///   - children: The child nodes, in order. The default is none.
  public init(
    _ name: String, namespace: String? = nil, attributes: [String: String] = [:],
    children: [Node] = []
  ) {
    self.name = name
    self.namespace = namespace
    self.attributes = attributes
    self.children = children
  }
}

extension XML {
  /// The name without its prefix.
  public var localName: String {
    name.split(separator: ":", maxSplits: 1).last.map(String.init) ?? name
  }

  /// All text inside, at any depth, in order.
  public var text: String {
    children.map(\.text).joined()
  }

  /// The elements directly inside, in order.
  public var elements: [XML] { children.compactMap(\.element) }

  /// The elements of that name directly inside, in order.
  public func elements(_ name: String) -> [XML] {
    elements.filter { $0.name == name }
  }

  /// The first element of that name directly inside.
  public subscript(name: String) -> XML? {
    children.lazy.compactMap(\.element).first { $0.name == name }
  }
}

extension XML.Node {
  /// The element, if this is one.
  public var element: XML? {
    if case .element(let element) = self { element } else { nil }
  }

  /// The text in the node; empty for comments and instructions.
  public var text: String {
    switch self {
    case .element(let element): element.text
    case .text(let text): text
    case .comment, .instruction: ""
    }
  }
}

extension XML? {
  /// The first element of that name directly inside; `nil` if there is no such element, or this one is `nil`.
  public subscript(name: String) -> XML? { flatMap { $0[name] } }
  /// The text of the element; empty if there is no element.
  public var text: String { map(\.text) ?? "" }
  /// The elements of that name directly inside; empty if there is no element.
  public func elements(_ name: String) -> [XML] { map { $0.elements(name) } ?? [] }
}

extension XML: CustomStringConvertible {
  /// The element as XML, with its attributes sorted by name.
  public var description: String {
    var text = ""
    write(to: &text)
    return text
  }

  private func write(to text: inout String) {
    text += "<" + name
    for (name, value) in attributes.sorted(by: { $0.key < $1.key }) {
      text += " \(name)=\"\(value.escapedInAttribute)\""
    }
    guard !children.isEmpty else {
      text += "/>"
      return
    }
    text += ">"
    for child in children { child.write(to: &text) }
    text += "</\(name)>"
  }
}

extension XML.Node: CustomStringConvertible {
  /// The node as XML.
  public var description: String {
    var text = ""
    write(to: &text)
    return text
  }

  fileprivate func write(to text: inout String) {
    switch self {
    case .element(let element): element.write(to: &text)
    case .text(let content): text += content.escaped
    case .comment(let comment): text += "<!--\(comment)-->"
    case .instruction(let target, let data?): text += "<?\(target) \(data)?>"
    case .instruction(let target, nil): text += "<?\(target)?>"
    }
  }
}

extension String {
  /// The text escaped for an attribute, in which a parser turns white space into blanks (XML 1.0 §3.3.3).
  fileprivate var escapedInAttribute: String {
    escaped.replacing("\n", with: "&#10;").replacing("\t", with: "&#9;")
  }

  /// The text escaped for content, in which a parser turns `\r` into `\n` (XML 1.0 §2.11).
  fileprivate var escaped: String {
    unicodeScalars.reduce(into: "") { text, scalar in
      switch scalar {
      case "&": text += "&amp;"
      case "<": text += "&lt;"
      case ">": text += "&gt;"
      case "\"": text += "&quot;"
      case "\r": text += "&#13;"
      default: text.unicodeScalars.append(scalar)
      }
    }
  }
}
