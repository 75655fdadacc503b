import EssentialFoundation
import MartletCore
import NIOCore

/// One request of a download, and the handling of its response.
struct DownloadAttempt: Sendable {
  /// The decision that follows from the head of the response.
  enum Outcome: Sendable {
    /// There is no response yet.
    case undecided
    /// The body is written to the partial file, at this range of bytes, whose end is `.max` if it is not known. If the
    /// body breaks off, the resume data is valid, except for the count of received bytes.
    case writing(PartialDownload, Range<Int64>, leaving: ResumeData)
    /// The partial file is complete.
    case whole(ResumeData)
    /// The body is decompressed into a separate file; the partial file is kept until the separate file is complete.
    case decompressing(URL)
    /// The partial file belongs to another state of the resource.
    case outdated
    /// The response is not acceptable.
    case rejected
    /// The response cannot be used.
    case failed(MartletError)
  }

  let plan: DownloadPlan
  /// The resume data of the partial file; with `nil`, the whole body is requested.
  let data: ResumeData?
  let original: Request
  private(set) var outcome = Outcome.undecided
  /// The final name of the file, if it is known before the end.
  private(set) var name: FinalName?

  init(_ plan: DownloadPlan, _ request: Request, from data: ResumeData?) {
    self.plan = plan
    self.data = data
    original = request
  }

  /// How far the file is on its way to the disk at the end.
  var durability: FileDurability { plan.durability(of: original) }

  /// The request to send.
  ///
  /// - Throws: `MartletError` with code `.invalidHeader`.
  var request: Request {
    get throws(MartletError) {
      var request = original
      // A part of a compressed body cannot continue a file that is not compressed.
      if !request.headers.contains(.acceptEncoding) {
        request.headers[.acceptEncoding] = "identity"
      }
      try data?.position.addRangeFields(to: &request)
      request.delivery = .undecided
      return request
    }
  }

  /// Delivers the body according to the head.
  ///
  /// - Returns: The response.
  /// - Throws: The error of receiving or writing the body.
  mutating func receive(_ response: Response) async throws -> Response {
    // A custom transport has delivered the body to another file.
    guard response.body.kind != .file else { throw MartletError.notDelivered }
    let handling: Delivery.BodyHandling
    (outcome, name, handling) = decide(response.head, from: response.url)
    var request = original
    request.delivery = Delivery(handling)
    return try await response.delivered(for: request)
  }

  // MARK: The head

  private typealias Decision = (Outcome, FinalName?, Delivery.BodyHandling)

  private func decide(_ head: ResponseHead, from url: URL) -> Decision {
    guard let data else { return take(head, from: url) }
    switch ResumeDecision(head, from: url, resuming: data.position) {
    case .append(let bytes, let total):
      return append(bytes, head, leaving: data.updated(from: head, total: total))
    case .startOver: return take(head, from: url)
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

  /// Decides on a response with the whole body.
  private func take(_ head: ResponseHead, from url: URL) -> Decision {
    guard plan.accepts(head) else { return (.rejected, nil, .stream) }
    return naming(head) { name in
      guard !head.isEncoded else {
        var file = FileDestination(url: plan.partial.newPartialURL)
        file.permissions = name?.partialPermissions ?? file.permissions
        file.durability = durability
        return (.decompressing(file.url), .file(file))
      }
      let bytes = 0..<(bodyLength(head) ?? .max)
      return write(bytes, leaving: ResumeData(original, head, from: url, file: plan.partial), name)
    }
  }

  /// Returns the announced length. Some responses announce the length of a body that they do not have (RFC 9110 §8.6).
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
    let file = PartialDownload(plan.partial, bytes: bytes, name: name, durability) { [plan] in
      try plan.record?(data)
    }
    return (.writing(file, bytes, leaving: data), .writer(file))
  }

  /// Determines the final name. A response with a part may lack the `Content-Disposition` that the first response had.
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
