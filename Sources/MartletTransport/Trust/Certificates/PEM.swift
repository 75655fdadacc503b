import EssentialFoundation
import MartletCore

/// The blocks of a text in PEM form (RFC 7468).
///
/// Text between the blocks is ignored. A block without a matching end is left out, and the blocks after it are still
/// read.
enum PEM {
  struct Block: Equatable {
    var label: String
    /// The lines of the block that are not empty, including those that begin and end it.
    var text: String
    /// The decoded lines between the first and the last; `nil` when they are not base64.
    var der: [UInt8]?
  }

  private static let begin = "-----BEGIN "
  private static let end = "-----END "
  private static let dashes = "-----"

  /// Whether there are any blocks, broken ones included.
  static func isPEM(_ data: Data) -> Bool {
    data.firstRange(of: Data(begin.utf8)) != nil
  }

  /// The blocks, in order.
  static func blocks(in data: Data) -> [Block] {
    var blocks: [Block] = []
    var open: (label: String, lines: [Substring])?
    let lines = String(decoding: data, as: UTF8.self)
      .split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    for line in lines.lazy.map(\.trimmingWhitespace) {
      if line.hasPrefix(begin), line.hasSuffix(dashes) {
        let label = line.dropFirst(begin.count).dropLast(dashes.count)
        open = (String(label), [line])
      } else if let block = open, line.hasPrefix(end) {
        if line == end + block.label + dashes {
          blocks.append(Self.block(block.label, block.lines + [line]))
        }
        open = nil
      } else {
        open?.lines.append(line)
      }
    }
    return blocks
  }

  private static func block(_ label: String, _ lines: [Substring]) -> Block {
    let content = lines.dropFirst().dropLast()
    let der = Data(base64Encoded: content.joined()).map { Array($0) }
    // Only an encrypted key of RFC 1421 has header fields. An empty line separates them from the base64.
    let hasFields = content.contains { $0.contains(":") }
    let text = hasFields ? lines : lines.filter { !$0.isEmpty }
    return Block(label: label, text: text.joined(separator: "\n") + "\n", der: der)
  }
}

extension Substring {
  fileprivate var trimmingWhitespace: Substring {
    guard let first = firstIndex(where: { !$0.isWhitespace }),
      let last = lastIndex(where: { !$0.isWhitespace })
    else { return "" }
    return self[first...last]
  }
}
