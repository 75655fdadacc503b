public import Foundation

/// An HTTP client that is measured.
///
/// Every scenario but `get` has a default that throws `Unsupported`, because not every peer supports all of them.
public protocol Peer: Sendable {
  /// The name in the results.
  static var name: String { get }

  /// A client that opens as many connections as the job runs requests at once.
  init(_ job: Job) throws

  /// Collects a body in memory and returns its length.
  func get(_ path: String) async throws -> Int
  /// Does the same many times with one call, and returns the sum of the lengths.
  func batch(_ path: String, count: Int, concurrency: Int) async throws -> Int
  /// Decodes a body as an array of users and returns how many there are.
  func decode(_ path: String) async throws -> Int
  /// Reads a body, discards it, and returns its length.
  func download(_ path: String) async throws -> Int
  /// Writes a body to a new file and returns its length.
  func save(_ path: String, to file: URL) async throws -> Int
  /// Sends a file and returns how many bytes the server received.
  func upload(_ file: URL, to path: String) async throws -> Int
  /// Sends a form whose one part is a file and returns how many bytes the server received.
  func form(_ file: URL, to path: String) async throws -> Int
  /// Sends `bytes` zeros in chunks and returns how many bytes the server received.
  func stream(_ bytes: Int, to path: String) async throws -> Int
  /// Releases connections and threads.
  func close() async throws
}
