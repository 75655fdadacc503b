public import EssentialFoundation
import HTTPTypes
public import NIOCore
package import SystemPackage

/// How the body of a response is delivered.
///
/// The caller states it with the request, and it is carried out once, for the response that the caller gets. In a session
/// that is known when all interceptors have seen the head: until then the body waits, and a redirect that is followed,
/// for example, is discarded whatever the caller wants done with the last response.
public struct Delivery: Sendable {
  /// The answer for one response.
  public enum BodyHandling: Sendable {
    /// Read and forget up to 64 KiB, then keep the connection; close it when there is more.
    ///
    /// Without success, such as of a redirect, a body is read for a second at most, and its end does not matter.
    case discard
    /// Collect in memory, at most `limit` bytes, and answer once when the last byte is in.
    case buffer(limit: Int)
    /// Answer at once and hand out the bytes as they are asked for.
    case stream
    /// Write to a file, away from the event loop, and answer when it is complete.
    indirect case file(FileDestination)
    /// Hand to a writer, away from the event loop, and answer when it has taken all. Nothing is decoded on
    /// the way.
    indirect case writer(any ResponseBodyWriter)

    /// Whether it is to be in memory.
    package var isBuffer: Bool { if case .buffer = self { true } else { false } }

    /// Whether it is thrown away.
    var isDiscard: Bool { if case .discard = self { true } else { false } }

    /// Whether it is to be read as it comes.
    package var isStream: Bool { if case .stream = self { true } else { false } }
  }

  // Indirect, because a request is copied at many steps, and then with one reference.
  private indirect enum Rule: Sendable {
    case always(BodyHandling)
    case decided(@Sendable (ResponseHead) -> BodyHandling)
    /// The sender decides when it has the head.
    case undecided
  }

  private let rule: Rule
  /// Whether an interceptor carries the delivery out, which may take the response for one on the way to the caller's.
  package var isDeferredToInterceptor = false
  /// Whether that interceptor wants to see the head before anything is collected.
  package var requiresHead = false

  /// A delivery that does the same with every response.
  public init(_ handling: BodyHandling) {
    rule = .always(handling)
  }

  /// A delivery that depends on the response's head.
  ///
  /// - Parameter decide: Called once, perhaps on the event loop: it must be quick, and must not block.
  public init(deciding decide: @escaping @Sendable (ResponseHead) -> BodyHandling) {
    rule = .decided(decide)
  }

  /// What to do with the body of the response that starts with `head`.
  public func handling(for head: ResponseHead) -> BodyHandling {
    switch rule {
    case .always(let handling): handling
    case .decided(let decide): decide(head)
    case .undecided: .stream
    }
  }

  /// What becomes of every response; `nil` when that depends on its head.
  package var fixedHandling: BodyHandling? {
    if case .always(let handling) = rule { handling } else { nil }
  }

  /// The sender has the response at once, and decides then.
  package static let undecided = Delivery(rule: .undecided)

  /// Whether that is so.
  package var isUndecided: Bool { if case .undecided = rule { true } else { false } }

  private init(rule: Rule) {
    self.rule = rule
  }

  /// What the transport does with the body of the response that starts with `head`; `nil` while that is open.
  ///
  /// A success that is wanted in memory or as a stream is, at once: as a rule the caller gets it.
  package func immediateHandling(for head: ResponseHead) -> BodyHandling? {
    switch rule {
    case .undecided: return nil
    case .always(let handling) where isDeferredToInterceptor:
      let isUsual = handling.isBuffer || handling.isStream
      return isUsual && !requiresHead && head.status.kind == .successful ? handling : nil
    case .always(let handling): return handling
    case .decided(let decide): return isDeferredToInterceptor ? nil : decide(head)
    }
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
  public static func file(at url: URL) -> Delivery { Delivery(.file(FileDestination(url: url))) }
  /// Nowhere.
  public static let discard = Delivery(.discard)
}

/// How a body is written to a file.
///
/// The bytes go to a temporary file in the same directory, which takes the final name once it is complete.
/// After any failure the temporary file is gone.
public struct FileDestination: Sendable {
  /// The final name.
  public var url: URL
  /// Turns the bytes received into the bytes written. The default writes them as they came. A session that decompresses
  /// the response puts its own decoding in this place.
  public var decoderFactory: ContentDecoderFactory?
  /// Whether a file that has the final name already is replaced; otherwise it is an error, found out
  /// before anything is written. The default is true.
  ///
  /// The new file keeps the mode of the one that it replaces, and its owner where the system allows that. A symbolic
  /// link stays, and what it names is replaced. A file that the user may not write, and what is no regular file, such as
  /// a device or a named pipe, is never replaced: that is an error.
  public var replacesExisting: Bool
  /// What the file permits until it has the final name, before the user's mask.
  package var permissions = FilePermissions(rawValue: 0o666)

  /// A delivery to a file.
  public init(url: URL, decoderFactory: ContentDecoderFactory? = nil, replacesExisting: Bool = true)
  {
    self.url = url
    self.decoderFactory = decoderFactory
    self.replacesExisting = replacesExisting
  }
}

/// Takes a body that is not to be held in memory, chunk by chunk, and knows where it is afterwards.
///
/// All but `abandon()` is called away from the event loop, one call at a time, and may block.
public protocol ResponseBodyWriter: AnyObject, Sendable {
  /// Where the body is once it is complete, as the response's `body.file` has it.
  var url: URL { get }

  /// Takes the next chunks.
  ///
  /// - Throws: Why they cannot be kept. It ends the exchange; what is no `MartletError` becomes the
  ///   `underlying` of one with code `.fileNotWritable`.
  func write(_ chunks: [ByteBuffer]) throws

  /// Ends the body, after the last chunk.
  ///
  /// - Throws: As `write(_:)` does.
  func complete() throws

  /// The exchange has failed, and what has come by now is the last. Called on an event loop, perhaps while
  /// `write(_:)` is at work: it must be quick.
  func abandon()

  /// Lets go of what is still held. Called once after `abandon()`, when what has come by then has been given
  /// to `write(_:)`; unless both take longer than a second, before the failure is reported.
  func close()
}
