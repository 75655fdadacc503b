/// Makes an element of the events of a document.
struct XMLBuilder {
  let options: XML.ReadingOptions
  /// The document's element, once it has ended.
  private(set) var root: XML?
  /// The elements that have begun, from the outermost on.
  private var open: [OpenElement] = []

  init(options: XML.ReadingOptions) {
    self.options = options
  }

  mutating func take(_ event: XMLEvent) {
    switch event {
    case .startElement(let name, let attributes):
      open.append(OpenElement(name, attributes, inside: open.last?.namespaces ?? [:]))
    case .endElement: close()
    case .text(let text): add(text: text)
    case .comment(let comment) where options.contains(.keepsComments): add(.comment(comment))
    case .instruction(let target, let data) where options.contains(.keepsInstructions):
      add(.instruction(target: target, data: data))
    case .comment, .instruction: break
    }
  }

  private mutating func close() {
    guard var element = open.popLast() else { return }
    element.endText(keepingBlank: options.contains(.keepsWhitespace))
    if open.isEmpty { root = element.element } else { add(.element(element.element)) }
  }

  private mutating func add(_ node: XML.Node) {
    guard !open.isEmpty else { return }
    open[open.count - 1].endText(keepingBlank: options.contains(.keepsWhitespace))
    open[open.count - 1].children.append(node)
  }

  private mutating func add(text: String) {
    guard !open.isEmpty else { return }
    open[open.count - 1].text += text
  }
}

/// An element that has begun and not ended.
private struct OpenElement {
  let name: String
  let attributes: [String: String]
  /// The namespaces in force here by prefix; that of the empty prefix is the default.
  let namespaces: [String: String]
  var children: [XML.Node] = []
  /// The text since the last child, which comes in pieces.
  var text = ""

  init(_ name: String, _ attributes: [String: String], inside outer: [String: String]) {
    self.name = name
    self.attributes = attributes
    var namespaces = outer
    for (name, value) in attributes where name.hasPrefix("xmlns") {
      if name == "xmlns" { namespaces[""] = value }
      if name.hasPrefix("xmlns:") { namespaces[String(name.dropFirst("xmlns:".count))] = value }
    }
    self.namespaces = namespaces
  }

  mutating func endText(keepingBlank: Bool) {
    if !text.isEmpty, keepingBlank || !text.utf8.allSatisfy(\.isXMLWhitespace) {
      children.append(.text(text))
    }
    text = ""
  }

  var element: XML {
    let parts = name.split(separator: ":", maxSplits: 1)
    let prefix = parts.count == 2 ? String(parts[0]) : ""
    let namespace = namespaces[prefix].flatMap { $0.isEmpty ? nil : $0 }
    return XML(name, namespace: namespace, attributes: attributes, children: children)
  }
}
