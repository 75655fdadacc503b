public import Foundation

/// What becomes of a response's body.
///
/// The caller states it with the request; the engine asks once, when the head of the final response
/// is in. Steps wrap the question: a redirect that will be followed, for example, is discarded
/// whatever the caller wants done with the last response.
public struct Delivery: Sendable {
  /// The answer for one response.
  public enum Choice: Sendable {
    /// Read and forget up to 64 KiB, then keep the connection; close it when there is more.
    ///
    /// Without success, such as of a redirect, a body is read for a second at most, and its end does not matter.
    case discard
    /// Collect in memory, at most `limit` bytes, and answer once when the last byte is in.
    case buffer(limit: Int)
    /// Answer at once and hand out the bytes as they are asked for.
    case stream
    /// Write to a file, away from the event loop, and answer when it is complete.
    indirect case file(FileDelivery)
    /// Hand to a writer, away from the event loop, and answer when it has taken all. Nothing is decoded on
    /// the way.
    indirect case writer(any BodyWriter)
  }

  private enum Rule: Sendable {
    case always(Choice)
    case decided(@Sendable (ResponseHead) -> Choice)
  }

  private let rule: Rule
  private var isPassedOver: (@Sendable (ResponseHead) -> Bool)?

  /// A delivery that does the same with every response.
  public init(_ choice: Choice) {
    rule = .always(choice)
  }

  /// A delivery that depends on the response's head.
  ///
  /// - Parameter decide: Called on the event loop: it must be quick, and must not block.
  public init(deciding decide: @escaping @Sendable (ResponseHead) -> Choice) {
    rule = .decided(decide)
  }

  /// What to do with the body of the response that starts with `head`.
  public func choice(for head: ResponseHead) -> Choice {
    if let isPassedOver, isPassedOver(head) { return .discard }
    switch rule {
    case .always(let choice): return choice
    case .decided(let decide): return decide(head)
    }
  }

  /// What becomes of every response that is not passed over; `nil` when that depends on its head.
  package var fixedChoice: Choice? {
    if case .always(let choice) = rule { choice } else { nil }
  }

  /// The same delivery for the response that the caller is to have, and none for those on the way there.
  ///
  /// - Parameter isPassedOver: Whether the response with this head is one of these. Asked when there is a head, usually on
  ///   the event loop: it must be quick.
  /// - Returns: The delivery.
  package func passingOver(_ isPassedOver: @escaping @Sendable (ResponseHead) -> Bool) -> Delivery {
    var delivery = self
    guard let other = self.isPassedOver else {
      delivery.isPassedOver = isPassedOver
      return delivery
    }
    delivery.isPassedOver = { isPassedOver($0) || other($0) }
    return delivery
  }

  /// How many bytes `.buffered` collects before it gives up: 256 MiB.
  public static let defaultBufferLimit = 256 << 20

  /// In memory, up to `defaultBufferLimit` bytes. This is the default of a request.
  public static let buffered = Delivery(.buffer(limit: defaultBufferLimit))
  /// In memory, up to `limit` bytes.
  public static func buffered(limit: Int) -> Delivery { Delivery(.buffer(limit: limit)) }
  /// As a stream that the caller pulls from.
  public static let stream = Delivery(.stream)
  /// Into a file that appears under its name only when it is complete.
  public static func file(at url: URL) -> Delivery { Delivery(.file(FileDelivery(url: url))) }
  /// Nowhere.
  public static let discard = Delivery(.discard)
}

/// How a body is written to a file.
///
/// The bytes go to a temporary file in the same directory, which takes the final name once it is complete.
/// After any failure the temporary file is gone.
public struct FileDelivery: Sendable {
  /// The final name.
  public var url: URL
  /// Turns the bytes received into the bytes written. The default writes them as they came.
  public var decoding: ContentDecoding?
  /// Whether a file that has the final name already is replaced; otherwise it is an error, found out
  /// before anything is written. The default is true.
  ///
  /// The new file keeps the mode of the one that it replaces, and its owner where the system allows that. A symbolic
  /// link stays, and what it names is replaced. A file that the user may not write, and what is no regular file, such as
  /// a device or a named pipe, is never replaced: that is an error.
  public var replacesExisting: Bool
  /// What the file permits until it has the final name, before the user's mask.
  package var mode: mode_t = 0o666

  /// A delivery to a file.
  public init(url: URL, decoding: ContentDecoding? = nil, replacesExisting: Bool = true) {
    self.url = url
    self.decoding = decoding
    self.replacesExisting = replacesExisting
  }
}
