import Foundation
import MartletCore
import NIOCore

extension BodyDelivering {
  /// Writes to a file beside the final one and renames it when it is complete.
  func write(to file: FileDelivery) async throws -> URL {
    if !file.replacesExisting, FileManager.default.fileExists(atPath: file.url.path) {
      throw MartletError.fileExists(file.url)
    }
    let partial = file.url.deletingLastPathComponent()
      .appending(path: ".\(file.url.lastPathComponent).\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: partial) }
    let body = try decoded(by: file.decoding)
    let handle = try Self.create(partial, for: file.url)
    defer { try? handle.close() }
    for try await chunk in body {
      try Self.checking(file.url) { try handle.write(contentsOf: Data(chunk.readableBytesView)) }
    }
    try Self.checking(file.url) {
      guard rename(partial.path, file.url.path) == 0 else { throw POSIXError(.EIO) }
    }
    return file.url
  }

  /// Hands everything to a writer, chunk by chunk.
  func write(to writer: any BodyWriter) async throws -> URL {
    do {
      for try await chunk in ResponseBody(stream: received()) { try writer.write([chunk]) }
      try writer.complete()
      return writer.url
    } catch {
      writer.abandon()
      writer.close()
      throw error
    }
  }

  private func decoded(by decoding: ContentDecoding?) throws -> ResponseBody {
    let body = ResponseBody(stream: received())
    guard let decoding else { return body }
    return try body.decoded(by: decoding)
  }

  private static func create(_ partial: URL, for url: URL) throws -> FileHandle {
    try checking(url) {
      try Data().write(to: partial, options: .withoutOverwriting)
      return try FileHandle(forWritingTo: partial)
    }
  }

  private static func checking<Result>(_ url: URL, _ body: () throws -> Result) throws -> Result {
    do { return try body() } catch { throw MartletError.fileNotWritable(url, underlying: error) }
  }
}
