import Foundation
import MartletCore

extension BodyDelivering {
  /// Hands everything to a writer, chunk by chunk.
  ///
  /// - Returns: Where the body is.
  /// - Throws: `MartletError`, with code `.fileNotWritable` for what the writer throws.
  func write(to writer: any BodyWriter) async throws -> URL {
    do {
      for try await chunk in ResponseBody(stream: received()) { try writer.write([chunk]) }
      try writer.complete()
      return writer.url
    } catch {
      writer.abandon()
      writer.close()
      throw error as? MartletError ?? .fileNotWritable(writer.url, underlying: error)
    }
  }
}
