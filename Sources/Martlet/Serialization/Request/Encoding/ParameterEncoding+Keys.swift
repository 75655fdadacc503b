extension ParameterEncoding.Keys {
  /// A declared name as it is written.
  func written(_ name: String) -> String {
    switch self {
    case .asDeclared: name
    case .snakeCase: name.words(joinedBy: "_")
    case .kebabCase: name.words(joinedBy: "-")
    }
  }
}

extension String {
  /// The words of a name in camel case, in lower case: `isURLKnown` has three, as `JSONEncoder` would say.
  fileprivate func words(joinedBy separator: Character) -> String {
    let letters = Array(self)
    var words = ""
    for (index, letter) in letters.enumerated() {
      if index > 0, letter.isUppercase {
        let previous = letters[index - 1]
        let isBeforeLower = index + 1 < letters.count && letters[index + 1].isLowercase
        let beginsWord = previous.isUppercase ? isBeforeLower : previous != "_" && previous != "-"
        if beginsWord { words.append(separator) }
      }
      words.append(letter.lowercased())
    }
    return words
  }
}
