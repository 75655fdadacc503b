import Foundation
import HTTPTypes

/// The directives of a message's `Cache-Control` (RFC 9111 §5.2).
struct CacheControl {
  private var directives: [Substring: Substring?] = [:]

  init(_ headers: HTTPFields) {
    for value in headers[values: .cacheControl] {
      for part in value.lowercased().split(separator: ",") {
        let pair = part.split(separator: "=", maxSplits: 1)
        guard let name = pair.first?.trimmed else { continue }
        // Of directives that contradict each other the first one counts (§4.2.1).
        if directives[name] == nil {
          directives[name] = .some(pair.count > 1 ? pair[1].trimmed.unquoted : nil)
        }
      }
    }
  }

  /// Whether there are no directives at all.
  var isEmpty: Bool { directives.isEmpty }

  /// Whether a directive is there, with an argument or without.
  func contains(_ name: Substring) -> Bool { directives[name] != nil }

  /// The seconds that a directive names: none that can be read is zero, so that a mistake means stale; beyond
  /// 2³¹ it is as good as for ever (§1.2.2).
  func seconds(_ name: Substring) -> TimeInterval? {
    guard let argument = directives[name] else { return nil }
    guard let argument, !argument.isEmpty, argument.allSatisfy(\.isASCIIDigit) else { return 0 }
    return TimeInterval(min(Int(argument) ?? .max, 1 << 31))
  }
}

extension Character {
  fileprivate var isASCIIDigit: Bool { ("0"..."9").contains(self) }
}

extension Substring {
  fileprivate var trimmed: Substring {
    var rest = drop { $0.isWhitespace }
    while rest.last?.isWhitespace == true { rest.removeLast() }
    return rest
  }

  fileprivate var unquoted: Substring {
    count >= 2 && first == "\"" && last == "\"" ? dropFirst().dropLast() : self
  }
}
