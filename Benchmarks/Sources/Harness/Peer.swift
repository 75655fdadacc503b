public import Foundation

/// An HTTP client that is measured.
///
/// Every function but `get` has a default that refuses: not every peer is asked for everything.
public protocol Peer: Sendable {
  /// The name in the results.
  static var name: String { get }

  /// A client that opens as many connections as the job has requests under way.
  init(_ job: Job) throws

  /// Collects a body in memory and returns its length.
  func get(_ path: String) async throws -> Int
  /// The same many times with one call; the sum of the lengths.
  func batch(_ path: String, count: Int, concurrency: Int) async throws -> Int
  /// Decodes a body as an array of users and returns how many there are.
  func decode(_ path: String) async throws -> Int
  /// Reads a body, forgets it, and returns its length.
  func download(_ path: String) async throws -> Int
  /// Writes a body to a new file and returns its length.
  func save(_ path: String, to file: URL) async throws -> Int
  /// Sends a file and returns how many bytes the server says it got.
  func upload(_ file: URL, to path: String) async throws -> Int
  /// Sends a form whose one part is a file and returns how many bytes the server says it got.
  func form(_ file: URL, to path: String) async throws -> Int
  /// Sends so many zeros in chunks and returns how many bytes the server says it got.
  func stream(_ bytes: Int, to path: String) async throws -> Int
  /// Lets go of connections and threads.
  func close() async throws
}
