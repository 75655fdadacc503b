public import Foundation

/// Defaults for the scenarios that a peer does not support.
extension Peer {
  /// Throws `Unsupported`.
  public func batch(_ path: String, count: Int, concurrency: Int) async throws -> Int {
    throw Unsupported()
  }

  /// Throws `Unsupported`.
  public func decode(_ path: String) async throws -> Int { throw Unsupported() }

  /// Throws `Unsupported`.
  public func download(_ path: String) async throws -> Int { throw Unsupported() }

  /// Throws `Unsupported`.
  public func save(_ path: String, to file: URL) async throws -> Int { throw Unsupported() }

  /// Throws `Unsupported`.
  public func upload(_ file: URL, to path: String) async throws -> Int { throw Unsupported() }

  /// Throws `Unsupported`.
  public func form(_ file: URL, to path: String) async throws -> Int { throw Unsupported() }

  /// Throws `Unsupported`.
  public func stream(_ bytes: Int, to path: String) async throws -> Int { throw Unsupported() }
}
