import MartletCore

/// An error in the name of a field, with its position.
struct FieldNameError: Error, Equatable {
  enum Problem: Equatable {
    /// One of these tokens is needed there.
    case expected([FieldNameToken.Kind])
    case negativeIndex
    case largeIndex
    case tooDeep
    /// An earlier field has put a value of another kind there. `place` is the part of the name that leads to that
    /// value.
    case mismatch(place: String, is: JSONTree.Kind, needed: JSONTree.Kind)
  }

  let problem: Problem
  let name: String
  /// The position in the name, counted in Unicode scalars.
  let range: Range<Int>

  init(_ problem: Problem, in name: String, at range: Range<Int>) {
    self.problem = problem
    self.name = name
    self.range = range
  }

  /// Names of more Unicode scalars than this are not shown.
  private static let longestShown = 400

  /// A sentence, the name, and a line that underlines the error in the name; only the sentence if the name is long.
  var message: String {
    let scalars = Array(name.unicodeScalars)
    guard scalars.count <= Self.longestShown else { return sentence }
    let before = Self.width(scalars.prefix(range.lowerBound))
    let underlined = Self.width(scalars.dropFirst(range.lowerBound).prefix(range.count))
    let underline =
      String(repeating: " ", count: before) + String(repeating: "^", count: max(underlined, 1))
    return "\(sentence)\n  \(name.escapingControlCharacters)\n  \(underline)"
  }

  private static func width(_ scalars: some Sequence<Unicode.Scalar>) -> Int {
    var text = String.UnicodeScalarView()
    text.append(contentsOf: scalars)
    return String(text).escapingControlCharacters.count
  }

  private var sentence: String {
    switch problem {
    case .expected(let kinds):
      "The field's name needs \(Self.list(kinds)) here: write \\[ and \\] for brackets that belong to the name."
    case .negativeIndex:
      "An index cannot be negative: count from 0, or write a backslash before it to make it a name."
    case .largeIndex:
      "The index is larger than \(FieldPath.largestIndex): write a smaller one, or a backslash before it to make it a name."
    case .tooDeep:
      "The field lies more than \(FieldPath.deepest) levels deep: write the JSON into a file, and send it with @file."
    case .mismatch(let place, let kind, let needed):
      "\(place.isEmpty ? "The body" : "“\(place.masked)”") is \(kind.rawValue) already, and this field needs \(needed.rawValue) there: give it another name."
    }
  }

  private static func list(_ kinds: [FieldNameToken.Kind]) -> String {
    guard kinds != [.open] else { return "“[” or its end" }
    let names = kinds.map { kind in
      switch kind {
      case .open: "“[”"
      case .close: "“]”"
      case .text: "a name"
      case .number: "a number"
      }
    }
    guard names.count > 1, let last = names.last else { return names.joined() }
    return names.dropLast().joined(separator: ", ") + " or " + last
  }
}
