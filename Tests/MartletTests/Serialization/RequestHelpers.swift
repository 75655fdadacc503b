import Foundation
import Martlet
import NIOCore

extension RequestBody {
  /// The bytes of a body that is in memory.
  var bytes: [UInt8]? {
    if case .bytes(let buffer) = source { Array(buffer.readableBytesView) } else { nil }
  }

  /// The same as text.
  var text: String? {
    bytes.map { String(decoding: $0, as: UTF8.self) }
  }
}

extension URL {
  /// `http://example.com/`
  static let example: URL = {
    var parts = URLComponents()
    (parts.scheme, parts.host, parts.path) = ("http", "example.com", "/")
    return parts.url ?? URL(filePath: "/")
  }()
}
