/// The encoding of Unicode in the letters, digits and hyphens of host names (RFC 3492).
enum Punycode {
  /// Encodes a label: its ASCII characters, a hyphen if there are any, and the others with their positions (§6.3).
  static func encode(_ label: [Unicode.Scalar]) -> String {
    var output = label.filter(\.isASCII).map { UInt8(truncatingIfNeeded: $0.value) }
    let basic = output.count
    if basic > 0 { output.append(.hyphen) }
    var (scalar, bias, delta, handled) = (firstScalar, firstBias, Int64(0), basic)
    while handled < label.count {
      let next = label.lazy.map(\.value).filter { $0 >= scalar }.min() ?? .max
      delta += Int64(next - scalar) * Int64(handled + 1)
      scalar = next
      for other in label {
        if other.value < scalar { delta += 1 }
        guard other.value == scalar else { continue }
        write(delta, bias: bias, to: &output)
        bias = adapted(delta, count: Int64(handled + 1), isFirst: handled == basic)
        delta = 0
        handled += 1
      }
      delta += 1
      scalar += 1
    }
    return String(decoding: output, as: UTF8.self)
  }

  /// Decodes a label; returns `nil` for an invalid one (§6.2).
  static func decode(_ label: some StringProtocol) -> [Unicode.Scalar]? {
    let bytes = Array(label.utf8)
    let end = bytes.lastIndex(of: .hyphen)
    var output = bytes[..<(end ?? 0)].map { Unicode.Scalar($0) }
    var rest = bytes[(end.map { $0 + 1 } ?? 0)...]
    var (scalar, bias, index, isFirst) = (firstScalar, firstBias, Int64(0), true)
    while !rest.isEmpty {
      guard let delta = read(bias: bias, from: &rest) else { return nil }
      let count = Int64(output.count + 1)
      index += delta
      bias = adapted(delta, count: count, isFirst: isFirst)
      isFirst = false
      guard let value = UInt32(exactly: Int64(scalar) + index / count),
        let decoded = Unicode.Scalar(value)
      else { return nil }
      scalar = value
      index %= count
      output.insert(decoded, at: Int(index))
      index += 1
    }
    return output
  }

  // `Int` has 32 bits on some systems.
  private static let (base, firstBias, firstScalar) = (Int64(36), Int64(72), UInt32(128))
  private static let (lowest, highest) = (Int64(1), Int64(26))

  /// Writes a number as a variable-length integer (§3.3).
  private static func write(_ number: Int64, bias: Int64, to output: inout [UInt8]) {
    var (rest, place) = (number, base)
    while true {
      let threshold = min(max(place - bias, lowest), highest)
      guard rest >= threshold else { return output.append(digit(rest)) }
      output.append(digit(threshold + (rest - threshold) % (base - threshold)))
      rest = (rest - threshold) / (base - threshold)
      place += base
    }
  }

  private static func read(bias: Int64, from rest: inout ArraySlice<UInt8>) -> Int64? {
    var (number, weight, place) = (Int64(0), Int64(1), base)
    while let digit = rest.popFirst().flatMap(value) {
      number += digit * weight
      let threshold = min(max(place - bias, lowest), highest)
      if digit < threshold { return number }
      weight *= base - threshold
      // No valid label needs larger numbers.
      guard number <= Int32.max, weight <= Int32.max else { return nil }
      place += base
    }
    return nil
  }

  /// Returns the bias for the next number (§3.4).
  private static func adapted(_ delta: Int64, count: Int64, isFirst: Bool) -> Int64 {
    var delta = isFirst ? delta / 700 : delta / 2
    delta += delta / count
    var place = Int64(0)
    while delta > (base - lowest) * highest / 2 {
      delta /= base - lowest
      place += base
    }
    return place + (base - lowest + 1) * delta / (delta + 38)
  }

  private static func digit(_ value: Int64) -> UInt8 {
    let value = UInt8(truncatingIfNeeded: value)
    return value < 26 ? UInt8(ascii: "a") + value : UInt8(ascii: "0") + value - 26
  }

  private static func value(_ digit: UInt8) -> Int64? {
    if digit.isLetter { return Int64(digit.lowercased - UInt8(ascii: "a")) }
    return digit.isDigit ? Int64(digit - UInt8(ascii: "0")) + 26 : nil
  }
}

extension UInt8 {
  fileprivate static let hyphen = UInt8(ascii: "-")
}
