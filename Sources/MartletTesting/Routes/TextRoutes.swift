import Foundation
import HTTPTypes
import NIOCore

extension Router {
  /// Small values made to order.
  static let textRoutes: [Route] = [
    .get("/uuid") { _ in try .json(["uuid": UUID().uuidString.lowercased()]) },
    .get("/base64/:value") { request in
      let standard = request.text("value")
        .replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
      guard let data = Data(base64Encoded: standard) else {
        throw Refusal.badRequest("“\(standard)” is not base64.")
      }
      return ServerResponse(
        headers: [.contentType: "text/html; charset=utf-8"],
        body: .bytes(ByteBuffer(bytes: data)))
    },
  ]
}
