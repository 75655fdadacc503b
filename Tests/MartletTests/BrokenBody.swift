import MartletTesting
import NIOCore

/// Bodies of HTTP/1.1 that are never complete.
enum BrokenBody: String, CaseIterable {
  case cutShort = "cut short"
  case withoutByte = "without a byte"
  case chunkCutShort = "a chunk that is cut short"
  case noLastChunk = "no last chunk"
  case noChunk = "no chunk"
  case noGzip = "no gzip"
  case silence = "silence"
  case drops = "a drop now and then"

  /// The answer to one request, after a head with the status line, and fields that say nothing of the body.
  func script(after head: String) -> Script {
    Script([.readRequest] + steps(after: head))
  }

  private func steps(after head: String) -> [Script.Step] {
    let ten = "\(head)Content-Length: 10\r\n"
    let chunked = "\(head)Transfer-Encoding: chunked\r\n\r\n"
    return switch self {
    case .cutShort: [.send("\(ten)\r\nabc")]
    case .withoutByte: [.send("\(ten)\r\n")]
    case .chunkCutShort: [.send("\(chunked)5\r\nab")]
    case .noLastChunk: [.send("\(chunked)2\r\nab\r\n")]
    case .noChunk: [.send("\(chunked)nonsense\r\n"), .stall]
    case .noGzip: [.send("\(ten)Content-Encoding: gzip\r\n\r\nabc")]
    case .silence: [.send("\(ten)\r\nabc"), .stall]
    case .drops:
      [
        .send("\(head)Content-Length: 100000\r\n\r\n"),
        .drip(ByteBuffer(repeating: 0x78, count: 10_000), every: .milliseconds(100)),
      ]
    }
  }
}
