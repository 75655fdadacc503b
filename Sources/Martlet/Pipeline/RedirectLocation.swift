import Foundation
import HTTPTypes
import MartletCore

/// Where a redirect leads: the value of its `Location` (RFC 9110 §10.2.2).
struct RedirectLocation {
  /// A URL or a relative reference, in ASCII.
  private let text: String

  /// The location in the head of a response; `nil` when there is none.
  ///
  /// Bytes that are not ASCII are escaped one by one, whatever their encoding, as browsers and curl do: they mean
  /// something to the server that wrote them (§5.5). Over HTTP/2 they come as U+FFFD, which is no place to go to.
  /// Equal fields count as one.
  ///
  /// - Throws: `MartletError` with code `.malformedResponse` for fields that differ: clients that follow the first
  ///   one and clients that follow the last would go to different places (§5.3). `.invalidURL` for lost bytes.
  init?(_ headers: HTTPFields) throws(MartletError) {
    let fields = headers[fields: .location]
    guard let first = fields.first else { return nil }
    if let other = fields.first(where: { $0 != first }) {
      throw .ambiguousRedirect(first.value, other.value)
    }
    guard !first.hasLostBytes else {
      throw .invalidURL(
        first.value,
        "the server redirects there, and some of its bytes are lost: U+FFFD stands for them")
    }
    text = first.withUnsafeBytesOfValue { bytes in
      var ascii: ArraySlice<UInt8> = []
      for byte in bytes {
        if byte < 0x80 { ascii.append(byte) } else { ascii.append(escapeOf: byte) }
      }
      return ascii.text
    }
  }

  /// The URL that the location means in the response to a request for `base`.
  ///
  /// A relative reference is resolved, and a fragment inherited when there is none (§10.2.2).
  ///
  /// - Throws: `MartletError` with code `.invalidURL`.
  func url(from base: URL) throws(MartletError) -> URL {
    let base = URLReference(base.absoluteString)
    var url = URLReference(text).escaped.resolved(against: base)
    url.fragment = url.fragment ?? base.fragment
    do throws(URLProblem) {
      return try url.url()
    } catch {
      throw .invalidURL(text, "the server redirects there, and \(error.reason)")
    }
  }
}

extension HTTPField {
  /// Whether bytes that are no UTF-8 have been replaced in the value.
  fileprivate var hasLostBytes: Bool {
    withUnsafeBytesOfValue { $0.contains("\u{FFFD}".utf8) }
  }
}
