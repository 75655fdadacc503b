import Foundation
import NIOCore

@testable import MartletCore
@testable import MartletTransport

/// What a server says over a whole connection.
extension Target {
  /// The first byte chooses where bodies go. Each 0xFF ends what comes in answer to one request.
  func http1Connection(_ data: Data) throws {
    let answers = data.dropFirst().split(separator: 0xFF, omittingEmptySubsequences: false)
    let delivery = Self.delivery(data.first ?? 0)
    let whole = try outcomes(of: answers, delivery) { [Array($0)] }
    let bytewise = try outcomes(of: answers, delivery) { answer in answer.map { [$0] } }
    // However the bytes are cut, they mean the same. A stream is dropped unread, and when depends on the cuts.
    precondition(whole.first == bytewise.first || delivery.isStream)
  }

  private func outcomes(
    of answers: [Data.SubSequence], _ delivery: Delivery, cut: (Data.SubSequence) -> [[UInt8]]
  ) throws -> [EmbeddedServer.Outcome] {
    let server = try EmbeddedServer("http/1.1", requests: 1, delivery: delivery)
    for (index, answer) in answers.prefix(4).enumerated() {
      if index > 0 {
        guard server.isIdle else { break }
        try server.expectAnother(delivery)
      }
      for piece in cut(answer) { server.send(piece) }
    }
    return server.end()
  }

  /// The first byte chooses where bodies go, the second how many bytes come at a time.
  func http2Connection(_ data: Data) throws {
    let server = try EmbeddedServer("h2c", requests: 3, delivery: Self.delivery(data.first ?? 0))
    let size = max(Int(data.dropFirst().first ?? 0), 1)
    var rest = data.dropFirst(2)
    while !rest.isEmpty {
      server.send(rest.prefix(size == 255 ? rest.count : size))
      rest = rest.dropFirst(size == 255 ? rest.count : size)
    }
    _ = server.end()
  }

  /// Frames mean the same however their bytes are cut, up to the first fault.
  func http2Frames(_ data: Data) {
    let bytes = Array(data)
    let whole = Self.frames(of: [bytes])
    let bytewise = Self.frames(of: bytes.map { [$0] })
    precondition(whole == bytewise)
  }

  /// What a decoder makes of bytes: a line for each frame, one for all of a body, and the fault.
  private static func frames(of pieces: [[UInt8]]) -> [String] {
    var decoder = FrameDecoder(headLimit: 4 << 10)
    var lines: [String] = []
    var bodies: [Int32: ByteBuffer] = [:]
    do throws(HTTP2Fault) {
      for piece in pieces {
        var bytes = ByteBuffer(bytes: piece)
        while let frame = try decoder.next(from: &bytes) {
          switch frame {
          case .data(let stream, let part, let length, let isEnd):
            precondition(length >= part.readableBytes && length <= FrameHeader.maximumLength)
            bodies[stream, default: ByteBuffer()].writeImmutableBuffer(part)
            if isEnd { lines.append("\(stream) ends") }
          case .goAway(let last, let code, let reason):
            lines.append("\(last) \(code) \(Array(reason.readableBytesView))")
          default: lines.append("\(frame)")
          }
        }
        precondition(bytes.readableBytes == 0)
      }
    } catch {
      lines.append("\(error.code)")
    }
    return lines + bodies.sorted { $0.key < $1.key }.map { "\($0): \(Array($1.readableBytesView))" }
  }

  private static func delivery(_ choice: UInt8) -> Delivery {
    switch choice % 3 {
    case 0: Delivery(.buffer(limit: 1 << 10))
    case 1: Delivery(.stream)
    default: Delivery(.discard)
    }
  }
}

extension Delivery {
  fileprivate var isStream: Bool {
    if case .stream? = fixedHandling { true } else { false }
  }
}
