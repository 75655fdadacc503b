import EssentialFoundation
import HTTPTypes
import MartletCore
import Testing

@testable import Martlet
@testable import MartletEssentials

/// What interceptors do that are passed in one go, noted in the order in which they do it.
@Suite(.timeLimit(.minutes(5)))
struct NextTests {
  private let notes = Locked<[String]>([])

  private func passage(
    _ changes: [String: Stop.Habit] = [:], answering status: [Int] = [200]
  ) -> Pipeline {
    let steps = ["a", "b", "c"].map { name in
      Stop(name: name, habit: changes[name] ?? .lets, notes: notes)
    }
    return Pipeline(steps, transport: Bottom(statuses: Locked(status), notes: notes))
  }

  private var request: Request {
    get throws { try Request(.get, "http://example.com/") }
  }

  @Test func `interceptors prepare from the top, and look from below`() async throws {
    #expect(try await passage().send(request).status == .ok)
    #expect(
      notes.current == [
        "a prepares", "b prepares", "c prepares", "abc sent", "c sees 200", "b sees 200",
        "a sees 200",
      ])
  }

  @Test func `an interceptor that wants the whole request gets it as those above have prepared it`()
    async throws
  {
    #expect(try await passage(["b": .wants]).send(request).status == .ok)
    #expect(
      notes.current == [
        "a prepares", "b wants a", "c prepares", "ac sent", "c sees 200", "a sees 200",
      ])
  }

  @Test func `a response that does not pass is its interceptor's, with all that is below`()
    async throws
  {
    let response = try await passage(["b": .stops(500)], answering: [500, 204]).send(request)
    #expect(response.status == .noContent)
    #expect(
      notes.current == [
        "a prepares", "b prepares", "c prepares", "abc sent", "c sees 500", "b sees 500",
        "b takes ab", "c prepares", "abc sent", "c sees 204", "a sees 204",
      ])
  }

  @Test func `what an interceptor throws on the way up is seen by those above it`() async throws {
    let error = await #expect(throws: MartletError.self) {
      try await passage(["b": .fails(500)], answering: [500]).send(request)
    }
    #expect(error?.code == .cancelled)
    #expect(notes.current.suffix(2) == ["b fails", "a sees cancelled"])
  }

  @Test func `an error from below is seen by all`() async throws {
    let error = await #expect(throws: MartletError.self) {
      try await passage(answering: []).send(request)
    }
    #expect(error?.code == .shutDown)
    #expect(notes.current.suffix(3) == ["c sees shutDown", "b sees shutDown", "a sees shutDown"])
  }
}

/// An interceptor that notes what it does, and adds its name to the request's.
private struct Stop: Interceptor {
  enum Habit {
    /// It lets everything pass.
    case lets
    /// It wants requests as a whole.
    case wants
    /// It sends the request once more after this status.
    case stops(Int)
    /// It throws after this status.
    case fails(Int)
  }

  let name: String
  let habit: Habit
  let notes: Locked<[String]>

  func note(_ text: String) {
    notes.withLock { $0.append("\(name) \(text)") }
  }

  func send(_ request: Request, next: Next) async throws -> Response {
    note("wants \(request.headers[.from] ?? "")")
    return try await next.send(request)
  }

  func prepare(_ request: inout Request, context: CallContext) -> RequestPreparation {
    if case .wants = habit { return .callSend }
    note("prepares")
    request.headers[.from] = (request.headers[.from] ?? "") + name
    return .inspectResponse
  }

  func inspect(_ response: Response, to request: Request, context: CallContext)
    -> ResponseInspection
  {
    note("sees \(response.status.code)")
    switch habit {
    case .stops(response.status.code), .fails(response.status.code): return .replaceResponse
    default: return .passThrough
    }
  }

  func mapError(_ error: any Error, after request: Request, context: CallContext) -> any Error {
    note("sees \((error as? MartletError).map { "\($0.code)" } ?? "")")
    return error
  }

  func response(
    replacing response: Response, to request: Request, next: Next
  ) async throws -> Response {
    guard case .stops = habit else {
      note("fails")
      throw MartletError.cancelled
    }
    note("takes \(request.headers[.from] ?? "")")
    return try await next.send(request)
  }
}

/// Answers with one status after the other, and then with an error.
private struct Bottom: Transport {
  let statuses: Locked<[Int]>
  let notes: Locked<[String]>

  func send(_ request: Request) async throws -> Response {
    notes.withLock { $0.append("\(request.headers[.from] ?? "") sent") }
    let status = statuses.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    guard let status else { throw MartletError.shutDown }
    return Response(head: ResponseHead(status: .init(code: status)), url: request.url)
  }
}
