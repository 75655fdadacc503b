import Foundation
import Martlet
import NIOCore

/// Writes a response's body to standard output.
struct BodyPrinter {
  let outlet: Outlet
  /// Shows pictures; `nil` where nothing can.
  var pictures: PicturePrinter?

  /// JSON beyond this is not laid out.
  private static let longestJSON = 4 << 20

  /// Writes the bytes as they come, and holds none of them.
  func copy(_ body: ResponseBody) async throws {
    for try await chunk in body { try outlet.write(chunk) }
  }

  /// Writes the body for reading: JSON laid out, pictures shown, and nothing else that is no text.
  func show(_ response: Response) async throws {
    var chunks = response.body.makeAsyncIterator()
    guard var start = try await chunks.next() else { return }
    if let longest = longestWhole(response) {
      while start.readableBytes <= longest, var next = try await chunks.next() {
        start.writeBuffer(&next)
      }
    }
    if response.isPicture, let text = picture(start) { return try outlet.write(text) }
    guard !start.readableBytesView.contains(0) else {
      return try outlet.write(
        "(The body is no text: save it with --output, or send it to a pipe.)\n")
    }
    var last = try show(start, isJSON: response.isJSON)
    while let chunk = try await chunks.next() {
      try outlet.write(chunk)
      last = chunk.readableBytesView.last
    }
    if last != UInt8(ascii: "\n") { try outlet.write("\n") }
  }

  /// How much of a body is read before any of it is shown; `nil` when it need not be read first.
  private func longestWhole(_ response: Response) -> Int? {
    if response.isJSON { return Self.longestJSON }
    return pictures != nil && response.isPicture ? PicturePrinter.largestFile : nil
  }

  /// What shows a picture, or says why it is not shown; `nil` when the body is none that can be.
  private func picture(_ body: ByteBuffer) -> String? {
    guard let pictures, body.readableBytes <= PicturePrinter.largestFile else { return nil }
    return pictures.text(orReasonFor: Data(body.readableBytesView))
  }

  /// - Returns: The last byte written.
  private func show(_ start: ByteBuffer, isJSON: Bool) throws -> UInt8? {
    guard isJSON, start.readableBytes <= Self.longestJSON,
      let pretty = JSONPrinter(palette: outlet.palette).print(Array(start.readableBytesView))
    else {
      try outlet.write(start)
      return start.readableBytesView.last
    }
    try outlet.write(pretty)
    return pretty.last
  }
}

extension Response {
  /// Whether the body claims to be a picture.
  var isPicture: Bool { mimeType?.hasPrefix("image/") ?? false }

  /// Whether the body claims to be JSON (RFC 6839 §3.1).
  fileprivate var isJSON: Bool {
    mimeType.map { $0.hasSuffix("/json") || $0.hasSuffix("+json") } ?? false
  }
}
