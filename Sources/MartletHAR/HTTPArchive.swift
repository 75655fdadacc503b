import MartletEssentials

/// A record of requests and responses in the format HAR 1.2, which browsers and other tools read.
///
/// ``HTTPArchiveRecorder`` makes one of a session.
public struct HTTPArchive: Codable, Hashable, Sendable {
  /// All that was recorded.
  public var log: Log

  /// The requests and responses, and the program that recorded them.
  public struct Log: Codable, Hashable, Sendable {
    /// The version of the format: `1.2`.
    public var version: String
    /// The program that made the archive.
    public var creator: Creator
    /// The requests with their responses, in the order in which they began.
    public var entries: [Entry]
    /// A note.
    public var comment: String?
  }

  /// The program that made an archive.
  public struct Creator: Codable, Hashable, Sendable {
    /// The name of the program.
    public var name: String
    /// The version of the program.
    public var version: String
  }

  /// An archive of entries that Martlet has recorded.
  ///
  /// - Parameters:
  ///   - entries: The entries.
  ///   - comment: A note. The default is none.
  public init(entries: [Entry], comment: String? = nil) {
    log = Log(
      version: "1.2", creator: Creator(name: "Martlet", version: martletVersion), entries: entries,
      comment: comment)
  }
}

extension HTTPArchive {
  /// A request with its response.
  public struct Entry: Codable, Hashable, Sendable {
    /// When the request began, in the form of ISO 8601.
    public var startedDateTime: String
    /// The duration in milliseconds.
    public var time: Double
    /// The request.
    public var request: Request
    /// The response. Its status is 0 if there was none.
    public var response: Response
    /// What a cache has done. The format requires the object, which may be empty.
    public var cache: Cache
    /// The durations of the parts.
    public var timings: Timings
    /// The address of the server, or of the proxy.
    public var serverIPAddress: String?
    /// The identifier of the connection.
    public var connection: String?
    /// A note, such as the error of a request without a response.
    public var comment: String?
  }

  /// What a cache has done.
  public struct Cache: Codable, Hashable, Sendable {
    /// A note.
    public var comment: String?
  }

  /// The durations of the parts of an exchange in milliseconds; −1 for parts that did not happen.
  public struct Timings: Codable, Hashable, Sendable {
    /// Waiting for a connection, without the time to make it.
    public var blocked: Double?
    /// Looking up the addresses of the host.
    public var dns: Double?
    /// Connecting, with the TLS handshake.
    public var connect: Double?
    /// Sending the request.
    public var send: Double
    /// Waiting for the response.
    public var wait: Double
    /// Receiving the response.
    public var receive: Double
    /// The TLS handshake, which is a part of `connect`.
    public var ssl: Double?
  }
}
