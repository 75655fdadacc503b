public import Foundation

/// What a peer does that is not meant to do it.
extension Peer {
  /// Refuses.
  public func batch(_ path: String, count: Int, concurrency: Int) async throws -> Int {
    throw Unsupported()
  }

  /// Refuses.
  public func decode(_ path: String) async throws -> Int { throw Unsupported() }

  /// Refuses.
  public func download(_ path: String) async throws -> Int { throw Unsupported() }

  /// Refuses.
  public func save(_ path: String, to file: URL) async throws -> Int { throw Unsupported() }

  /// Refuses.
  public func upload(_ file: URL, to path: String) async throws -> Int { throw Unsupported() }

  /// Refuses.
  public func form(_ file: URL, to path: String) async throws -> Int { throw Unsupported() }

  /// Refuses.
  public func stream(_ bytes: Int, to path: String) async throws -> Int { throw Unsupported() }
}
