import HTTPTypes
import NIOCore

extension Router {
  /// Images. A name behind the format makes another URL of the same image, a number a bigger one.
  static let imageRoutes: [Route] = [
    .get("/image") { request in
      let accepted = request.headers[.accept]?.lowercased() ?? "image/png"
      for format in ImageFormat.allCases where accepted.contains(format.type) {
        return format.response()
      }
      let isAnyWelcome = accepted.contains("image/*") || accepted.contains("*/*")
      guard isAnyWelcome else {
        return .text("There are PNG, JPEG and SVG.\n", status: .notAcceptable)
      }
      return ImageFormat.png.response()
    },
    .get("/image/:format") { try format($0).response() },
    .get("/image/:format/:name") { request in
      try format(request).response(size: Int(request.text("name")) ?? 0)
    },
  ]

  private static func format(_ request: ServerRequest) throws -> ImageFormat {
    guard let format = ImageFormat(rawValue: request.text("format")) else {
      throw Refusal(status: .notFound, reason: "There are png, jpeg and svg.")
    }
    return format
  }
}

/// The kinds of image that are served.
private enum ImageFormat: String, CaseIterable {
  case png, jpeg, svg

  var type: String { self == .svg ? "image/svg+xml" : "image/\(rawValue)" }

  private var bytes: ByteBuffer {
    switch self {
    case .png: SampleImages.bytes(SampleImages.png)
    case .jpeg: SampleImages.bytes(SampleImages.jpeg)
    case .svg: ByteBuffer(string: SampleImages.svg)
    }
  }

  /// The image, followed by blanks, which decoders pass over, until it has `size` bytes.
  func response(size: Int = 0) -> ServerResponse {
    let image = bytes
    let count = min(max(size, image.readableBytes), 1 << 30)
    return ServerResponse(
      headers: [.contentType: type],
      body: .producer(length: count) { write in
        try await write(image)
        var left = count - image.readableBytes
        while left > 0 {
          let size = min(left, 256 << 10)
          try await write(ByteBuffer(repeating: UInt8(ascii: " "), count: size))
          left -= size
        }
      })
  }
}
