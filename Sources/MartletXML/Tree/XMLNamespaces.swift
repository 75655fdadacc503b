/// The namespaces that are in force at a place in a document.
struct XMLNamespaces {
  /// What each prefix stands for, the innermost last; the empty prefix has the default. One list for each, and
  /// not one for each element, because elements and namespaces can both be many.
  private var declared: [String: [String]] = [:]

  /// Goes into an element with these attributes.
  mutating func enter(_ attributes: [String: String]) {
    for (prefix, namespace) in Self.declarations(in: attributes) {
      declared[prefix, default: []].append(namespace)
    }
  }

  /// Goes out of the element with these attributes that was entered last.
  mutating func leave(_ attributes: [String: String]) {
    for (prefix, _) in Self.declarations(in: attributes) { _ = declared[prefix]?.popLast() }
  }

  /// The namespace of an element of that name; an empty one stands for none.
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
