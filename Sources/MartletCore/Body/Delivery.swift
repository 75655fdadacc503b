public import EssentialFoundation
import HTTPTypes
public import NIOCore
package import SystemPackage

/// How the body of a response is delivered.
///
/// It is a property of the request and applies once, to the response that the caller receives. For example, the body of
/// a redirect that is followed is discarded, whatever the delivery of the request.
///
/// In a session, the interceptors decide which response the caller receives, and the body waits until they have seen
/// the head. The body of a success that goes into memory or a stream usually does not wait.
public struct Delivery: Sendable {
  /// How the body of one response is handled.
  public enum BodyHandling: Sendable {
    /// Read the body and throw it away, to keep the connection. Close the connection if the body is longer than the
    /// engine's `limits.discardedBodySize`, which is 64 KiB by default.
    ///
    /// If the status is not a success, for example for a redirect, the body is read for one second at most, and errors
    /// are ignored.
    case discard
    /// Collect at most `limit` bytes in memory, and return the response after the last byte has arrived.
    case buffer(limit: Int)
    /// Return the response at once. The caller reads the bytes as they arrive.
    case stream
    /// Write to a file, not on the event loop, and return the response when the file is complete.
    indirect case file(FileDestination)
    /// Pass to a writer, not on the event loop, and return the response when the writer has completed. The body is not
    /// decoded.
    indirect case writer(any ResponseBodyWriter)

    /// Whether the body is collected in memory.
    package var isBuffer: Bool { if case .buffer = self { true } else { false } }

    /// Whether the body is discarded.
    var isDiscard: Bool { if case .discard = self { true } else { false } }

    /// Whether the body is a stream.
    package var isStream: Bool { if case .stream = self { true } else { false } }
  }

  // Indirect, so that copying a request copies only one reference. Requests are copied often.
  private indirect enum Rule: Sendable {
    case always(BodyHandling)
    case decided(@Sendable (ResponseHead) -> BodyHandling)
    /// An interceptor decides after it has received the response.
    case undecided
  }

  private let rule: Rule
  /// Whether an interceptor delivers the body, because the response may not be the one that the caller receives.
  package var isDeferredToInterceptor = false
  /// Whether an interceptor needs the head before any of the body is delivered, even if the response is a success.
  package var requiresHead = false

  /// A delivery that handles every response in the same way.
  public init(_ handling: BodyHandling) {
    rule = .always(handling)
  }

  /// A delivery that depends on the response's head.
  ///
  /// - Parameter decide: Called for each response that the caller may receive, possibly on the event loop, and possibly
  ///   more than once. It must be quick and must not block.
  public init(deciding decide: @escaping @Sendable (ResponseHead) -> BodyHandling) {
    rule = .decided(decide)
  }

  /// Returns how to handle the body of the response that starts with `head`.
  public func handling(for head: ResponseHead) -> BodyHandling {
    switch rule {
    case .always(let handling): handling
    case .decided(let decide): decide(head)
    case .undecided: .stream
    }
  }

  /// The handling of every response; `nil` if it depends on the head.
  package var fixedHandling: BodyHandling? {
    if case .always(let handling) = rule { handling } else { nil }
  }

  /// Whether every body is written to a file or passed to a writer.
  package var isToFile: Bool {
    switch rule {
    case .always(.file), .always(.writer): true
    default: false
    }
  }

  /// A delivery that returns the response at once. An interceptor then decides how the body is handled.
  package static let undecided = Delivery(rule: .undecided)

  /// Whether an interceptor decides after it has received the response.
  package var isUndecided: Bool { if case .undecided = rule { true } else { false } }

  /// Whether the body is discarded, whatever the response.
  package var isDiscard: Bool { if case .always(.discard) = rule { true } else { false } }

  private init(rule: Rule) {
    self.rule = rule
  }

  /// Returns how the transport handles the body of the response that starts with `head`; `nil` if an interceptor
  /// decides that later.
  ///
  /// If the delivery is to memory or a stream, the transport delivers a success at once, because usually the caller
  /// receives that response.
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

  /// The most bytes that `.buffered` collects: 256 MiB.
  public static let defaultBufferLimit = 256 << 20

  /// Collects up to `defaultBufferLimit` bytes in memory. This is the default of a request.
  public static let buffered = Delivery(.buffer(limit: defaultBufferLimit))
  /// Collects up to `limit` bytes in memory.
  public static func buffered(limit: Int) -> Delivery { Delivery(.buffer(limit: limit)) }
  /// Returns the response at once, with a body that the caller reads as a stream.
  public static let stream = Delivery(.stream)
  /// Writes the body to a file that appears under its name only when it is complete.
  public static func file(at url: URL) -> Delivery { Delivery(.file(FileDestination(url: url))) }
  /// Discards the body.
  public static let discard = Delivery(.discard)
}

/// How a body is written to a file.
///
/// The bytes go to a temporary file in the same directory. The temporary file gets the final name when it is complete,
/// and is removed after any failure.
public struct FileDestination: Sendable {
  /// The final name.
  public var url: URL
  /// Makes the decoder for the bytes received. The default, `nil`, writes them as received. A session that decompresses
  /// the response replaces this with its own decoder.
  public var decoderFactory: ContentDecoderFactory?
  /// Whether an existing file with the final name is replaced. The default is true. If it is false, an existing file is
  /// an error, which is reported before anything is written.
  ///
  /// The new file keeps the mode of the file that it replaces, and its owner where the system allows that. A symbolic
  /// link is kept, and its target is replaced. A file that the user may not write is never replaced: that is an error.
  /// The same holds for anything that is not a regular file, such as a device or a named pipe.
  public var replacesExisting: Bool
  /// How far the file is on its way to the disk when the caller receives it. The default is `.written`.
  public var durability = FileDurability.written
  /// The permissions of the temporary file, before the process's umask is applied.
  package var permissions = FilePermissions(rawValue: 0o666)

  /// A delivery to a file.
  public init(url: URL, decoderFactory: ContentDecoderFactory? = nil, replacesExisting: Bool = true)
  {
    self.url = url
    self.decoderFactory = decoderFactory
    self.replacesExisting = replacesExisting
  }
}

/// Writes a body chunk by chunk to a place of its own, such as a file.
///
/// All functions except `abandon()` are called one at a time, not on the event loop, and may block.
public protocol ResponseBodyWriter: AnyObject, Sendable {
  /// The location of the complete body: the `body.file` of the response.
  var url: URL { get }

  /// Writes the next chunks.
  ///
  /// - Throws: An error if the chunks cannot be written. It ends the exchange. An error of another type becomes the
  ///   `underlying` error of a `MartletError` with code `.fileNotWritable`.
  func write(_ chunks: [ByteBuffer]) throws

  /// Completes the body after the last chunk.
  ///
  /// - Throws: As `write(_:)` does.
  func complete() throws

  /// Called when the exchange has failed.
  ///
  /// At most one more call of `write(_:)` follows, with chunks that had arrived before. `abandon()` may be called on an
  /// event loop, also while `write(_:)` or `complete()` runs, and must be quick.
  func abandon()

  /// Releases all resources.
  ///
  /// It is called once, after `abandon()` and after the last call of `write(_:)`. Chunks that arrive after a failed
  /// `write(_:)` are dropped. The failure is reported after `close()`, unless `write(_:)` and `close()` take longer
  /// than one second.
  func close()
}
