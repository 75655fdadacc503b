import MartletCore
import MartletTransport
import NIOCore
import Testing

/// The time-out that ends an exchange with a network on which no more bytes move.
struct SlowTimeOut {
  let phase: MartletError.Phase
  /// The time-out.
  let limit: Duration

  /// How late it may be, on a machine that wakes its tasks in time.
  private static let tolerance = TimeAmount.milliseconds(100)

  /// What the error says, with the origin in place of `{origin}`.
  private var sentence: String {
    let what =
      switch phase {
      case .send: "Sending the request to {origin}"
      case .receive: "Receiving the response of {origin}"
      case .wait: "Waiting for the response of {origin}"
      default: "Connecting to {origin}"
      }
    return "\(what) took longer than \(limit.text): try again or raise the time-out."
  }

  /// Tries until the time-out is not late, at most three times, because a busy machine may be late.
  ///
  /// - Parameter attempt: Expects the time-out, and returns whether it was not late.
  /// - Throws: What the attempt throws.
  static func expectPunctual(_ attempt: () async throws -> Bool) async throws {
    for number in 1... {
      let isPunctual = try await attempt()
      if isPunctual { return }
      try #require(number < 3, "the time-out is late")
    }
  }

  /// Sends a request, and expects that it ends with the time-out, and not before it.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - engine: The engine.
  ///   - lastBytes: When bytes last moved: the earliest and the latest time that is possible.
  /// - Returns: Whether it was not late.
  /// - Throws: What `lastBytes` throws.
  func expect(
    _ request: Request, _ engine: HTTPTransport,
    lastBytes: () throws -> (earliest: NIODeadline, latest: NIODeadline)
  ) async throws -> Bool {
    let ((error, end), lateness) = try await measuringLateness {
      let error = await #expect(throws: MartletError.self) { try await engine.send(request) }
      return (try #require(error), NIODeadline.now())
    }
    let (earliest, latest) = try lastBytes()
    #expect(error.code == .timedOut)
    #expect(error.phase == phase)
    #expect(error.message == sentence.replacing("{origin}", with: "\(try request.origin)"))
    #expect(end >= earliest + TimeAmount(limit))
    return end <= latest + TimeAmount(limit) + Self.tolerance + TimeAmount(lateness)
  }
}
