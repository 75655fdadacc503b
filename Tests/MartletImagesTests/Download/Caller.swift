import Foundation
import Martlet
import MartletImages
import MartletTesting

/// Calls a downloader, and records the answers that it receives.
final class Caller: Sendable {
  struct Answer {
    var request: Request
    var response: Response?
    var image: RasterImage?
    var error: MartletError?
    var isOnMainQueue: Bool
  }

  let answers = AwaitableValue<[Answer]>([])

  private static let key: DispatchSpecificKey<Void> = {
    let key = DispatchSpecificKey<Void>()
    DispatchQueue.main.setSpecific(key: key, value: ())
    return key
  }()

  /// Off Apple systems the main queue may run on other threads than the first.
  private static var isOnMainQueue: Bool { DispatchQueue.getSpecific(key: key) != nil }

  /// How many answers it has received.
  var count: Int { answers.current.count }

  @discardableResult
  func download(
    _ request: Request, from downloader: ImageDownloader, receiptID: UUID = UUID()
  ) -> ImageDownloadReceipt? {
    downloader.download(request, receiptID: receiptID) { [self] request, response, image in
      tell(
        Answer(
          request: request, response: response, image: image, isOnMainQueue: Self.isOnMainQueue))
    } failure: { [self] request, response, error in
      tell(
        Answer(
          request: request, response: response, error: error, isOnMainQueue: Self.isOnMainQueue))
    }
  }

  private func tell(_ answer: Answer) {
    answers.update { $0.append(answer) }
  }

  /// The first answer, as soon as it arrives.
  func answer() async throws -> Answer {
    try await answers.wait(within: .seconds(30)) { _ in
      "Nobody told."
    } until: {
      !$0.isEmpty
    }
    return answers.current[0]
  }

  /// Downloads, and waits for the answer.
  static func answer(to request: Request, from downloader: ImageDownloader) async throws -> Answer {
    let caller = Caller()
    caller.download(request, from: downloader)
    return try await caller.answer()
  }
}
