public import Foundation
public import MartletEssentials

extension XML {
  /// The parts of a document that are kept besides elements and their text.
  public struct ReadingOptions: OptionSet, Hashable, Codable, Sendable {
    /// The options as bits.
    public let rawValue: Int

    /// Options from their bits.
    public init(rawValue: Int) {
      self.rawValue = rawValue
    }

    /// Text that consists of white space only is kept, such as that between elements.
    public static let keepsWhitespace = ReadingOptions(rawValue: 1)
    /// Comments inside the root element are kept.
    public static let keepsComments = ReadingOptions(rawValue: 2)
    /// Processing instructions inside the root element are kept.
    public static let keepsInstructions = ReadingOptions(rawValue: 4)
  }

  /// The root element of a document.
  ///
  /// - Parameters:
  ///   - data: The document. Its encoding is that of its byte-order mark, else `charset`, else the declared encoding,
  ///     else UTF-8 (RFC 7303 §3). A document that begins with `<?` in UTF-16 is always read as UTF-16.
  ///   - charset: The charset that the response names. The default, `nil`, is none.
  ///   - options: The parts that are kept besides elements and their text. The default is none.
  /// - Throws: `MartletError` with code `.decodingFailed` when the document is malformed, has more than 512 nested
  ///   levels, an element with more than 1000 attributes, or a document type declaration with an internal subset.
  public init(parsing data: Data, charset: String? = nil, options: ReadingOptions = [])
    throws(MartletError)
  {
    var builder = XMLBuilder(options: options)
    do {
      try XMLEventSource(data, charset: charset).forEach { builder.take($0) }
    } catch {
      throw error as? MartletError ?? .notXML("\(error)")
    }
    guard let root = builder.root else { throw .notXML("it has no element") }
    self = root
  }
}

/// Builds the root element from the events of a document.
struct XMLBuilder {
  let options: XML.ReadingOptions
  /// The root element, once it has ended.
  private(set) var root: XML?
  /// The elements that have begun and not ended, the outermost first.
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
  /// The text since the last child. It arrives in pieces.
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

/// The namespaces in scope at a place in a document.
struct XMLNamespaces {
  /// The namespaces of each prefix, the innermost last. The empty prefix has the default namespaces.
  ///
  /// There is one list for each prefix rather than for each element, because a document can have many elements and many
  /// namespaces.
  private var declared: [String: [String]] = [:]

  /// Enters an element with these attributes.
  mutating func enter(_ attributes: [String: String]) {
    for (prefix, namespace) in Self.declarations(in: attributes) {
      declared[prefix, default: []].append(namespace)
    }
  }

  /// Leaves the element that was entered last, which has these attributes.
  mutating func leave(_ attributes: [String: String]) {
    for (prefix, _) in Self.declarations(in: attributes) { _ = declared[prefix]?.popLast() }
  }

  /// The namespace of an element of that name; `nil` if there is none, or the declared one is empty.
  subscript(name: String) -> String? {
    let parts = name.split(separator: ":", maxSplits: 1)
    let prefix = parts.count == 2 ? String(parts[0]) : ""
    return declared[prefix]?.last.flatMap { $0.isEmpty ? nil : $0 }
  }

  private static func declarations(in attributes: [String: String]) -> [(String, String)] {
    attributes.compactMap { name, value in
      if name == "xmlns" { return ("", value) }
      return name.hasPrefix("xmlns:") ? (String(name.dropFirst("xmlns:".count)), value) : nil
    }
  }
}
