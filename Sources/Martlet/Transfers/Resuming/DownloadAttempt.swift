import Foundation
import MartletCore
import MartletTransport
import NIOCore

/// One request of a download, and what becomes of its response.
final class DownloadAttempt: Sendable {
  /// What the head of the response has led to.
  enum Course: Sendable {
    /// There is none yet.
    case undecided
    /// The body, these bytes of the whole as far as is known, goes into the partial file; what it leaves when
    /// it breaks off is resume data but for the count.
    case writing(PartialDownload, Range<Int64>, leaving: ResumeData)
    /// The partial file has everything.
    case whole(ResumeData)
    /// The body is decompressed on its way into a file of its own, which takes the partial file's place.
    case decompressing
    /// What the partial file has is of something else.
    case outdated
    /// The response is not worth a file.
    case rejected
    /// It cannot be used.
    case failed(MartletError)
  }

  private struct State {
    var course = Course.undecided
    var name: FinalName?
  }

  let plan: DownloadPlan
  /// What is there already; `nil` asks for the whole.
  let data: ResumeData?
  private let original: Request
  private let state = Locked(State())

  init(_ plan: DownloadPlan, _ request: Request, from data: ResumeData?) {
    self.plan = plan
    self.data = data
    original = request
  }

  var course: Course { state.withLock { $0.course } }
  /// What the file will be called, if that is known before its end.
  var name: FinalName? { state.withLock { $0.name } }

  /// The request to send.
  ///
  /// - Throws: `MartletError` with code `.invalidHeader`.
  var request: Request {
    get throws(MartletError) {
      var request = original
      // Parts of a compressed body would be parts of other bytes.
      if !request.headers.contains(.acceptEncoding) {
        request.headers[.acceptEncoding] = "identity"
      }
      try data?.ask(in: &request)
      request.delivery = Delivery { [self] head in
        let (course, name, choice) = decide(head)
        state.withLock { $0 = State(course: course, name: name) }
        return choice
      }
      return request
    }
  }

  // MARK: The head

  private typealias Decision = (Course, FinalName?, Delivery.Choice)

  private func decide(_ head: ResponseHead) -> Decision {
    guard let data else { return take(head) }
    switch ResumeDecision(head, resuming: data) {
    case .append(let bytes, let total):
      return append(bytes, head, leaving: data.following(head, total: total))
    case .startOver: return take(head)
    case .complete:
      let received = data.received
      original.exchange?.report(.resumed(offset: received, total: received))
      return naming(head) { _ in (.whole(data), .discard) }
    case .askAgain: return (.outdated, nil, .discard)
    case .reject: return (.rejected, nil, .stream)
    case .wrongRange(let field): return fail(.wrongRange(data.received, got: field))
    case .wrongLength(let announced, let sent):
      return fail(.bodyNotAsAnnounced(announced, sent: "\(sent)"))
    }
  }

  /// A whole body.
  private func take(_ head: ResponseHead) -> Decision {
    guard plan.accepts(head) else { return (.rejected, nil, .stream) }
    return naming(head) { name in
      guard !head.isEncoded else {
        return (.decompressing, .file(FileDelivery(url: plan.partial)))
      }
      let bytes = 0..<(head.announcedLength ?? .max)
      return write(bytes, leaving: ResumeData(original, head, file: plan.partial), name)
    }
  }

  private func append(_ bytes: Range<Int64>, _ head: ResponseHead, leaving data: ResumeData)
    -> Decision
  {
    guard plan.accepts(head) else { return (.rejected, nil, .stream) }
    return naming(head) { name in
      original.exchange?.report(.resumed(offset: bytes.lowerBound, total: data.length))
      return write(bytes, leaving: data, name)
    }
  }

  private func write(_ bytes: Range<Int64>, leaving data: ResumeData, _ name: FinalName?)
    -> (Course, Delivery.Choice)
  {
    let file = PartialDownload(
      plan.partial, bytes: bytes, name: name?.url ?? plan.partial
    ) { [plan] in
      try name?.check()
      try plan.record(data)
    }
    return (.writing(file, bytes, leaving: data), .writer(file))
  }

  /// What a part is called may have been said with the whole only.
  private func naming(
    _ head: ResponseHead, _ decide: (FinalName?) -> (Course, Delivery.Choice)
  ) -> Decision {
    var head = head
    if let disposition = data?.disposition, !head.headers.contains(.contentDisposition) {
      head.headers[.contentDisposition] = disposition
    }
    do {
      let name = try plan.name?(head)
      let (course, choice) = decide(name)
      return (course, name, choice)
    } catch {
      return fail(error as? MartletError ?? .wrapping(error))
    }
  }

  private func fail(_ error: MartletError) -> Decision {
    (.failed(error), nil, .discard)
  }

  // MARK: The end

  /// The attempt that has to follow; `nil` when the file is complete.
  ///
  /// - Throws: `MartletError` when the response is of no use.
  func following(_ response: Response) async throws -> DownloadAttempt? {
    switch course {
    case .whole, .decompressing: return nil
    case .writing(_, let bytes, var left):
      // A server may send less than was asked for (RFC 9110 §15.3.7).
      guard let total = left.length, bytes.upperBound < total else { return nil }
      left.received = bytes.upperBound
      return DownloadAttempt(plan, original, from: left)
    case .outdated: return DownloadAttempt(plan, original, from: nil)
    case .undecided where plan.accepts(response.head):
      // A transport of one's own that does not ask what to do with a body.
      throw MartletError.notDelivered
    case .undecided, .rejected:
      var response = response
      let beginning = await response.body.beginning()
      response.body = .empty
      throw plan.rejection(response, beginning)
    case .failed(let error): throw error
    }
  }

  /// The error with what the attempt leaves behind; what is of no use is removed.
  ///
  /// - Parameters:
  ///   - error: What happened.
  ///   - keeps: Whether what is of use is kept at all.
  /// - Returns: The error.
  func leave(_ error: any Error, keeps: Bool) async -> MartletError {
    var error = error as? MartletError ?? .wrapping(error)
    let left = await left()
    if keeps, error.code != .digestMismatch, let left, left.isOfUse {
      error.resumeData = left
    } else {
      plan.removePartial()
    }
    return error
  }

  private func left() async -> ResumeData? {
    guard case .writing(let file, _, var left) = course, let count = await file.stop() else {
      if case .outdated = course { return nil }
      return data
    }
    left.received = count
    return left
  }
}

extension ResponseBody {
  /// As many of the first bytes as an error keeps; what goes wrong on the way does not matter.
  fileprivate func beginning() async -> Data {
    var data = Data()
    var chunks = makeAsyncIterator()
    while data.count < MartletError.bodyLimit, let chunk = try? await chunks.next() {
      data += Data(chunk.readableBytesView)
    }
    return data.prefix(MartletError.bodyLimit)
  }
}
