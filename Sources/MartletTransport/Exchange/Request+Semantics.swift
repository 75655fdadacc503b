import HTTPTypes
import MartletCore

extension HTTPRequest.Method {
  /// Whether the connection becomes a tunnel if the server agrees (RFC 9110 §9.3.6).
  ///
  /// The length is compared first, because that is cheaper.
  var requestsTunnel: Bool { rawValue.utf8.count == 7 && self == .connect }
}

extension Request {
  /// Whether anything follows the head: a body, even one of zero bytes, or trailers.
  var hasContent: Bool { hasBody || trailers != nil }

  /// The value of the `Trailer` field, which announces the trailers (RFC 9110 §6.6.2); `nil` if there is nothing to
  /// announce, or if the caller has set the field.
  var trailerNames: String? {
    guard let names = trailers?.names, !names.isEmpty, !headers.contains(.trailer) else {
      return nil
    }
    return names.map(\.rawName).joined(separator: ", ")
  }

  /// Whether the body waits for `100 Continue` (RFC 9110 §10.1.1).
  var expectsContinueForBody: Bool {
    options.expectsContinue && !body.isEmpty && body.length != 0
  }

  /// Whether the request asks to close the connection after the exchange (RFC 9112 §9.6).
  var requestsClose: Bool {
    FramingFields(ownHeaders).hasConnectionOption("close")
  }

  /// Whether the server may switch the connection to another protocol.
  var mayUpgrade: Bool {
    method.requestsTunnel
      || ownHeaders.contains(.upgrade) && FramingFields(ownHeaders).hasConnectionOption("upgrade")
  }
}
