public import Foundation

/// An HTTP client that is measured.
public protocol Peer: Sendable {
  /// The name in the results.
  static var name: String { get }

  /// A client that opens as many connections as the job has requests under way.
  init(_ job: Job) throws

  /// Collects a body in memory and returns its length.
  func get(_ path: String) async throws -> Int
  /// Reads a body, forgets it, and returns its length.
  func download(_ path: String) async throws -> Int
  /// Writes a body to a new file and returns its length.
  func save(_ path: String, to file: URL) async throws -> Int
  /// Lets go of connections and threads.
  func close() async throws
}

/// A response that is not the one that was asked for.
public struct UnexpectedResponse: Error {
  /// What is wrong with it.
  public var reason: String

  /// Throws unless the status is 200.
  public static func check(status: some BinaryInteger) throws {
    guard status == 200 else { throw UnexpectedResponse(reason: "status \(status)") }
  }
}
