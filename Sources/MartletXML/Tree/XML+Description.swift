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
  /// The text as it may stand in an attribute, in which a reader turns white space into blanks
  /// (XML 1.0 §3.3.3).
  fileprivate var escapedInAttribute: String {
    escaped.replacing("\n", with: "&#10;").replacing("\t", with: "&#9;")
  }

  /// The text as it may stand in content, in which a reader turns `\r` into `\n` (XML 1.0 §2.11).
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
