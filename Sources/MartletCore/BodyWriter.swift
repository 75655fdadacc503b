public import EssentialFoundation
public import NIOCore

/// Takes a body that is not to be held in memory, chunk by chunk, and knows where it is afterwards.
///
/// All but `abandon()` is called away from the event loop, one call at a time, and may block.
public protocol BodyWriter: AnyObject, Sendable {
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
