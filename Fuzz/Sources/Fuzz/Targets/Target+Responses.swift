import Foundation
import HTTPTypes
import Martlet
import NIOCore
import NIOHPACK

@testable import Martlet
@testable import MartletEssentials
@testable import MartletTransport

/// The parts of a response, each by itself.
extension Target {
  /// The first byte chooses the method that is answered.
  func responseParser(_ data: Data) {
    let method: HTTPRequest.Method = (data.first ?? 0) % 2 == 0 ? .get : .head
    let bytes = Array(data.dropFirst())
    let whole = Self.reading(of: [bytes], method)
    let bytewise = Self.reading(of: bytes.map { [$0] }, method)
    precondition(whole == bytewise)
  }

  /// What a parser makes of bytes: the heads, the body and the trailers, or the code of its error.
  private static func reading(of pieces: [[UInt8]], _ method: HTTPRequest.Method) -> [String] {
    var parser = ResponseParser(headLimit: 4 << 10)
    parser.begin(method)
    var heads: [String] = []
    var body: [UInt8] = []
    func take(_ part: ResponseParser.Part) {
      switch part {
      case .informational(let head), .head(let head), .switched(let head):
        heads.append("\(head.status) \(head.headers)")
      case .body(let bytes): body += bytes.readableBytesView
      case .end(let trailers): heads.append("end \(trailers ?? [:])")
      }
    }
    do throws(MartletError) {
      for piece in pieces {
        parser.append(ByteBuffer(bytes: piece))
        while let part = try parser.next() { take(part) }
      }
      if let part = try parser.finish() { take(part) }
    } catch {
      return ["\(error.code)"]
    }
    return heads + [String(decoding: body, as: UTF8.self), "\(parser.isPersistent)"]
  }

  func headParser(_ data: Data) throws {
    var memory = HeadCache()
    let bytes = Array(data)
    let first = try bytes.withUnsafeBytes { try HeadParser.head($0, &memory) }
    // What is remembered of a head means the same as the head.
    let again = try? bytes.withUnsafeBytes { try HeadParser.head($0, &memory) }
    precondition(
      again?.head.status == first.head.status && again?.head.headers == first.head.headers)
    // Nothing in a value could end it elsewhere (RFC 9110 §5.5).
    for field in first.head.headers {
      precondition(!field.value.utf8.contains { [0, 10, 13].contains($0) })
    }
    _ = try bytes.withUnsafeBytes { try HeadParser.trailers($0) }
  }

  /// Each line is a field: a name, a colon and a value. `HPACKHeaders` itself takes ASCII names alone; those that come
  /// over the wire are part of the target for whole connections.
  func responseFields(_ data: Data) throws {
    var section = HPACKHeaders()
    for line in data.split(separator: UInt8(ascii: "\n")) {
      let text = String(decoding: line, as: UTF8.self)
      let colon = text.dropFirst().firstIndex(of: ":") ?? text.endIndex
      guard text[..<colon].utf8.allSatisfy({ $0 < 0x80 }) else { continue }
      section.add(name: String(text[..<colon]), value: String(text[colon...].dropFirst()))
    }
    let fields = try ResponseFields(section, limit: 4 << 10)
    precondition(fields.contentLength ?? 0 >= 0)
    let again = try? ResponseFields(section, limit: 4 << 10, last: fields.fields)
    precondition(again?.fields == fields.fields)
    _ = try? fields.trailers()
    let head = try fields.head()
    precondition((100...999).contains(head.status.code))
  }

  /// The first byte chooses the coding, and how large a piece may be.
  func inflate(_ data: Data) throws {
    let choice = Int(data.first ?? 0)
    let coding: InflateDecoder.Coding = choice % 2 == 0 ? .gzip : .deflate
    let bytes = Array(data.dropFirst())
    let whole = try inflated([bytes], coding, upTo: 64 << 10)
    let bytewise = try? inflated(bytes.map { [$0] }, coding, upTo: choice + 1)
    precondition(whole == bytewise)
  }

  private func inflated(_ pieces: [[UInt8]], _ coding: InflateDecoder.Coding, upTo limit: Int)
    throws -> [UInt8]
  {
    let most = 1 << 20
    let decoder = InflateDecoder(coding, DecompressionInterceptor.Limits(), size: most)
    var output: [UInt8] = []
    var input = ByteBuffer()
    for piece in pieces {
      input.writeBytes(piece)
      while let piece = try decoder.decode(&input, upTo: limit) {
        precondition((1...limit).contains(piece.readableBytes))
        output += piece.readableBytesView
      }
    }
    try decoder.finish()
    precondition(output.count <= most)
    return output
  }
}
