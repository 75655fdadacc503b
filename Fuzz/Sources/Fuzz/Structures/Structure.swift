/// How an input is divided into parts that keep their meaning when they are moved, repeated, left out or changed.
///
/// libFuzzer changes single bytes. That breaks the length of a frame or the end of a line, so that a parser refuses most inputs
/// at the same place.
enum Structure {
  /// Lines, each with its end. A character is a byte.
  case lines([String])
  /// Frames of HTTP/2, after so many other bytes.
  case frames(after: Int)
  /// Texts, each after its length in four bytes, with any bytes in between.
  case texts([String])

  /// The parts that can be added.
  var additions: [[UInt8]] {
    switch self {
    case .lines(let lines):
      lines.map { $0.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) } }
    case .frames: FrameParts.additions
    case .texts(let texts): texts.map { TextParts.part(Array($0.utf8)[...]) }
    }
  }

  /// Divides an input. The parts, one after the other, are the input.
  func parts(of input: [UInt8]) -> [[UInt8]] {
    switch self {
    case .lines: LineParts.parts(of: input)
    case .frames(let prefix): FrameParts.parts(of: input, after: prefix)
    case .texts: TextParts.parts(of: input)
    }
  }

  /// Changes the bytes of a part, and keeps its form.
  ///
  /// - Parameters:
  ///   - part: A part.
  ///   - change: Changes some bytes.
  /// - Returns: The part with the changed bytes.
  func changed(_ part: [UInt8], by change: ([UInt8]) -> [UInt8]) -> [UInt8] {
    switch self {
    case .lines: LineParts.changed(part, by: change)
    case .frames: FrameParts.changed(part, by: change)
    case .texts: TextParts.changed(part, by: change)
    }
  }
}

/// Lines.
private enum LineParts {
  static func parts(of input: [UInt8]) -> [[UInt8]] {
    var parts = input.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .map { Array($0) + [UInt8(ascii: "\n")] }
    // What follows the last line feed is a line without an end.
    if let last = parts.popLast(), last.count > 1 { parts.append(last.dropLast()) }
    return parts
  }

  /// Changes a line up to its end.
  static func changed(_ part: [UInt8], by change: ([UInt8]) -> [UInt8]) -> [UInt8] {
    let end = part.suffix { $0 == UInt8(ascii: "\r") || $0 == UInt8(ascii: "\n") }
    return change(part.dropLast(end.count)) + end
  }
}

extension Array<UInt8> {
  /// The last bytes, as many as there are with a property.
  fileprivate func suffix(while hasProperty: (UInt8) -> Bool) -> [UInt8] {
    Array(self[(lastIndex { !hasProperty($0) }.map { $0 + 1 } ?? 0)...])
  }
}

/// Texts after their length in four bytes, with the highest first.
private enum TextParts {
  static func parts(of input: [UInt8]) -> [[UInt8]] {
    var parts: [[UInt8]] = []
    var between: [UInt8] = []
    var rest = input[...]
    while let byte = rest.first {
      if let text = text(at: rest) {
        if !between.isEmpty { parts.append(between) }
        between = []
        parts.append(part(text))
        rest = rest.dropFirst(4 + text.count)
      } else {
        between.append(byte)
        rest = rest.dropFirst()
      }
    }
    return between.isEmpty ? parts : parts + [between]
  }

  static func changed(_ part: [UInt8], by change: ([UInt8]) -> [UInt8]) -> [UInt8] {
    guard let text = text(at: part[...]), text.count + 4 == part.count else { return change(part) }
    return self.part(change(Array(text))[...])
  }

  static func part(_ text: ArraySlice<UInt8>) -> [UInt8] {
    let length = UInt32(text.count)
    return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: length >> $0) } + text
  }

  /// The text whose length is next; `nil` if it is empty, or not ASCII.
  private static func text(at bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    guard bytes.count > 4 else { return nil }
    let length = bytes.prefix(4).reduce(0) { $0 << 8 | Int($1) }
    let text = bytes.dropFirst(4).prefix(length)
    return length > 0 && text.count == length && text.allSatisfy { (32..<127).contains($0) }
      ? text : nil
  }
}
