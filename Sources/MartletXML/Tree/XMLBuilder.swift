/// Makes an element of the events of a document.
struct XMLBuilder {
  let options: XML.ReadingOptions
  /// The document's element, once it has ended.
  private(set) var root: XML?
  /// The elements that have begun, from the outermost on.
  private var open: [OpenElement] = []
  private var namespaces = XMLNamespaces()

  init(options: XML.ReadingOptions) {
    self.options = options
  }

  mutating func take(_ event: XMLEvent) {
    switch event {
    case .startElement(let name, let attributes):
      namespaces.enter(attributes)
      open.append(OpenElement(name: name, namespace: namespaces[name], attributes: attributes))
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
    namespaces.leave(element.attributes)
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
  let namespace: String?
  let attributes: [String: String]
  var children: [XML.Node] = []
  /// The text since the last child, which comes in pieces.
  var text = ""

  mutating func endText(keepingBlank: Bool) {
    if !text.isEmpty, keepingBlank || !text.utf8.allSatisfy(\.isXMLWhitespace) {
      children.append(.text(text))
    }
    text = ""
  }

  var element: XML {
    XML(name, namespace: namespace, attributes: attributes, children: children)
  }
}
