import EssentialFoundation
import HTTPTypes
import MartletTesting
import NIOCore

@testable import MartletCore
@testable import MartletTransport

/// A request of a random program, the task that waits for its response, and what both have seen.
final class RandomCaller {
  /// What was reported, and what the task has received.
  struct Seen: Equatable {
    var starts = 0
    var finishes = 0
    var failures = 0
    var retries = 0
    /// Whether the engine had lost the request, and found that later.
    var isLost = false
    /// Whether the task is over.
    var isOver = false

    var ends: Int { finishes + failures }
  }

  let call = Call()
  weak var exchange: Exchange?
  private let shared = Locked(Seen())
  private var task: Task<Void, Never>?

  /// Begins an exchange on its event loop, and waits there for the response.
  init(_ kind: RandomOperation.Kind, of pools: OriginPools, part: Int?) throws {
    var request = try Request(kind.method, "http://127.0.0.1/")
    request.body = kind.body
    if let delivery = kind.delivery { request.delivery = delivery }
    if kind == .expecting { request.headers[.expect] = "100-continue" }
    request.call = call
    call.observe { [shared] event in shared.withLock { $0.note(event.kind) } }
    let exchange = Exchange(
      request, origin: pools.origin, timeouts: kind.timeouts, pools: pools, ownPart: part)
    self.exchange = exchange
    task = Task(executorPreference: exchange.pool.connector.executor) { [shared] in
      do {
        let response = try await withTaskCancellationHandler {
          try await withUnsafeThrowingContinuation { (caller: Exchange.Caller) in
            exchange.begin(caller)
          }
        } onCancel: {
          exchange.onLoop { $0.cancel() }
        }
        try await kind.read(response.body)
      } catch {
        if (error as? MartletError)?.code == .requestLost { shared.withLock { $0.isLost = true } }
      }
      shared.withLock { $0.isOver = true }
    }
  }

  var seen: Seen { shared.current }

  /// Cancels the task that waits for the response or reads its body.
  func cancelTask() { task?.cancel() }
}

extension RandomCaller.Seen {
  fileprivate mutating func note(_ event: CallEvent.Kind) {
    switch event {
    case .attemptStarted: starts += 1
    case .attemptFinished: finishes += 1
    case .attemptFailed(let error):
      failures += 1
      if error.code == .requestLost { isLost = true }
    case .retrying: retries += 1
    default: break
    }
  }
}

extension RandomOperation.Kind {
  fileprivate var method: HTTPRequest.Method {
    switch self {
    case .post, .upload, .expecting, .discardedUpload: .post
    default: .get
    }
  }

  fileprivate var body: RequestBody {
    switch self {
    case .post, .expecting: .text("abc")
    case .upload, .discardedUpload:
      .bytes(ByteBuffer(repeating: 0x78, count: 2 * UploadQueue.highWater))
    default: .empty
    }
  }

  fileprivate var delivery: Delivery? {
    switch self {
    case .drop, .read, .readPart: Delivery(.stream)
    case .discard, .discardedUpload: Delivery(.discard)
    default: nil
    }
  }

  fileprivate var timeouts: Timeouts {
    guard self == .timed else { return .none }
    var timeouts = Timeouts.none
    (timeouts.idle, timeouts.total) = (.milliseconds(300), .seconds(3))
    return timeouts
  }

  fileprivate func read(_ body: ResponseBody) async throws {
    switch self {
    case .read: for try await _ in body {}
    case .readPart: for try await _ in body { break }
    default: break
    }
  }
}
