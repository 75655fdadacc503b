import Martlet
import NIOCore

extension Request {
  /// The boundary that the content type names.
  var boundary: String {
    headers[.contentType]?.split(separator: "boundary=").last.map(String.init) ?? ""
  }

  /// The body of a form as text, with `B` for its boundary.
  func form() async throws -> String {
    try await body.collected().replacing(boundary, with: "B")
  }
}

extension MultipartFormData {
  /// The form as text, with `B` for its boundary.
  func text() async throws -> String {
    let (body, type) = encoded()
    return try await body.collected()
      .replacing(type.split(separator: "boundary=").last ?? "", with: "B")
  }
}

/// A form of the parts that `construct` appends.
func form(_ construct: (inout MultipartFormData) throws -> Void) rethrows -> MultipartFormData {
  var form = MultipartFormData()
  try construct(&form)
  return form
}

/// Chunks, one after another.
struct Chunks: AsyncSequence, AsyncIteratorProtocol, Sendable {
  var texts: [String]
  var failure: (any Error)?

  mutating func next() async throws -> ByteBuffer? {
    guard texts.isEmpty else { return ByteBuffer(string: texts.removeFirst()) }
    if let failure { throw failure }
    return nil
  }

  func makeAsyncIterator() -> Chunks { self }
}
