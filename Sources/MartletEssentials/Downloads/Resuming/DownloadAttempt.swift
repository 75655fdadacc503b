import EssentialFoundation
import MartletCore
import NIOCore

/// One request of a download, and what becomes of its response.
struct DownloadAttempt: Sendable {
  /// What the head of the response has led to.
  enum Outcome: Sendable {
    /// There is none yet.
    case undecided
    /// The body, these bytes of the whole as far as is known, goes into the partial file; what it leaves when
    /// it breaks off is resume data but for the count.
    case writing(PartialDownload, Range<Int64>, leaving: ResumeData)
    /// The partial file has everything.
    case whole(ResumeData)
    /// The body is decompressed on its way into a file of its own, and the partial file stays until that is
    /// complete.
    case decompressing(URL)
    /// What the partial file has is of something else.
    case outdated
    /// The response is not worth a file.
    case rejected
    /// It cannot be used.
    case failed(MartletError)
  }

  let plan: DownloadPlan
  /// What is there already; `nil` asks for the whole.
  let data: ResumeData?
  let original: Request
  private(set) var outcome = Outcome.undecided
  /// What the file will be called, if that is known before its end.
  private(set) var name: FinalName?

  init(_ plan: DownloadPlan, _ request: Request, from data: ResumeData?) {
    self.plan = plan
    self.data = data
    original = request
  }

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
      try data?.addRangeFields(to: &request)
      request.delivery = .undecided
      return request
    }
  }

  /// Has the body go where the head says that it belongs.
  ///
  /// - Returns: The response.
  /// - Throws: What receiving the body throws, or writing it.
  mutating func receive(_ response: Response) async throws -> Response {
    // A transport of one's own that has put the body elsewhere.
    guard response.body.kind != .file else { throw MartletError.notDelivered }
    let handling: Delivery.BodyHandling
    (outcome, name, handling) = decide(response.head)
    var request = original
    request.delivery = Delivery(handling)
    return try await response.delivered(for: request)
  }

  // MARK: The head

  private typealias Decision = (Outcome, FinalName?, Delivery.BodyHandling)

  private func decide(_ head: ResponseHead) -> Decision {
    guard let data else { return take(head) }
    switch ResumeDecision(head, resuming: data) {
    case .append(let bytes, let total):
      return append(bytes, head, leaving: data.following(head, total: total))
    case .startOver: return take(head)
    case .complete:
      let received = data.received
      original.call?.report(.downloadResumed(offset: received, total: received))
      return naming(head) { _ in (.whole(data), .discard) }
    case .restart: return (.outdated, nil, .discard)
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
        var file = FileDestination(url: plan.partial.partialBeside)
        file.permissions = name?.partialPermissions ?? file.permissions
        return (.decompressing(file.url), .file(file))
      }
      let bytes = 0..<(bodyLength(head) ?? .max)
      return write(bytes, leaving: ResumeData(original, head, file: plan.partial), name)
    }
  }

  /// Some answers announce the length of a body that they do not have (RFC 9110 §8.6).
  private func bodyLength(_ head: ResponseHead) -> Int64? {
    let hasNone =
      original.method == .head || head.status == .noContent || head.status == .notModified
    return hasNone ? nil : head.announcedLength
  }

  private func append(_ bytes: Range<Int64>, _ head: ResponseHead, leaving data: ResumeData)
    -> Decision
  {
    guard plan.accepts(head) else { return (.rejected, nil, .stream) }
    return naming(head) { name in
      original.call?.report(.downloadResumed(offset: bytes.lowerBound, total: data.length))
      return write(bytes, leaving: data, name)
    }
  }

  private func write(_ bytes: Range<Int64>, leaving data: ResumeData, _ name: FinalName?)
    -> (Outcome, Delivery.BodyHandling)
  {
    let file = PartialDownload(plan.partial, bytes: bytes, name: name) { [plan] in
      try plan.record(data)
    }
    return (.writing(file, bytes, leaving: data), .writer(file))
  }

  /// What a part is called may have been said with the whole only.
  private func naming(
    _ head: ResponseHead, _ decide: (FinalName?) -> (Outcome, Delivery.BodyHandling)
  ) -> Decision {
    var head = head
    if let disposition = data?.disposition, !head.headers.contains(.contentDisposition) {
      head.headers[.contentDisposition] = disposition
    }
    do {
      let name = try plan.name?(head)
      let (outcome, handling) = decide(name)
      return (outcome, name, handling)
    } catch {
      return fail(.wrapping(error))
    }
  }

  private func fail(_ error: MartletError) -> Decision {
    (.failed(error), nil, .discard)
  }
}
