import Foundation
import HTTPTypes
import Martlet
import MartletImages
import MartletTesting
import NIOCore

/// Serves pictures in this process: `/6x4/any-name` is one of 6 × 4 pixels, everything else is not there.
final class PictureServer: Sendable {
  struct State {
    /// Paths, in the order in which they were asked for.
    var asked: [String] = []
    var underWay = 0
    var mostUnderWay = 0
    /// Whether answers are held back.
    var isHeld: Bool
    /// Paths that are answered all the same.
    var released: Set<String> = []
  }

  let state: AwaitableValue<State>

  init(isHeld: Bool = false) {
    state = AwaitableValue(State(isHeld: isHeld))
  }

  var asked: [String] { state.current.asked }

  func letGo() { state.update { $0.isHeld = false } }
  func release(_ path: String) { state.update { _ = $0.released.insert(path) } }

  /// Returns when so many requests have come.
  func waitForRequests(_ count: Int) async throws {
    try await state.wait(within: .seconds(30)) {
      "Only \($0.asked.count) requests came."
    } until: {
      $0.asked.count >= count
    }
  }

  static func request(_ path: String, _ policy: Request.CachePolicy? = nil) throws -> Request {
    var request = try Request(.get, "http://in.process\(path)")
    request.options.cachePolicy = policy
    return request
  }

  // MARK: Answers

  private var transport: InProcessTransport {
    InProcessTransport { [state] request in
      let number = state.update { state in
        state.asked.append(request.target)
        state.underWay += 1
        state.mostUnderWay = max(state.mostUnderWay, state.underWay)
        return state.asked.count
      }
      defer { state.update { $0.underWay -= 1 } }
      try await state.wait { !$0.isHeld || $0.released.contains(request.target) }
      return Self.answer(request, number)
    }
  }

  private static func answer(_ request: Request, _ number: Int) -> Response {
    let path = request.target.split(separator: "/")
    let headers: HTTPFields = [.eTag: "\(number)", .contentType: "image/png"]
    if path.first == "moved" {
      let to = "/" + path.dropFirst().joined(separator: "/")
      return Response(
        head: ResponseHead(status: .found, headers: [.location: to]), url: request.url)
    }
    guard let size = path.first, size.contains("x") else {
      return Response(
        head: ResponseHead(status: .notFound, headers: headers), url: request.url)
    }
    return Response(
      head: ResponseHead(status: .ok, headers: headers), url: request.url,
      body: ResponseBody(bytes: ByteBuffer(substring: size)))
  }

  // MARK: Clients

  func sessionManager(
    _ serializer: any HTTPResponseSerializing = ImageResponseSerializer(decoder: StubDecoder())
  ) -> HTTPSessionManager {
    HTTPSessionManager {
      $0.session = ImageDownloader.makeDefaultConfiguration()
      $0.transport = transport
      $0.responseSerializer = serializer
    }
  }

  func downloader(
    _ prioritization: ImageDownloader.Prioritization = .fifo, maximum: Int = 4,
    cache: (any ImageRequestCache)? = AutoPurgingImageCache(memoryPressure: nil)
  ) -> ImageDownloader {
    ImageDownloader(
      sessionManager: sessionManager(), downloadPrioritization: prioritization,
      maximumActiveDownloads: maximum, imageCache: cache)
  }
}
