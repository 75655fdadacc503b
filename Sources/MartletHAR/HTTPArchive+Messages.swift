/// The messages of an archive.
extension HTTPArchive {
  /// A header field or a parameter.
  public struct Pair: Codable, Hashable, Sendable {
    /// The name.
    public var name: String
    /// The value, which only a field of a form may lack.
    public var value: String?
  }

  /// A request.
  public struct Request: Codable, Hashable, Sendable {
    /// The method.
    public var method: String
    /// The URL.
    public var url: String
    /// The version of HTTP, such as `HTTP/1.1`; empty if the request was not sent.
    public var httpVersion: String
    /// The cookies.
    public var cookies: [Pair]
    /// The header fields.
    public var headers: [Pair]
    /// The parameters of the URL.
    public var queryString: [Pair]
    /// The body, if there is one and it is kept.
    public var postData: PostData?
    /// The size of the head in bytes; −1 if it is not known.
    public var headersSize: Int64
    /// The size of the body in bytes; −1 if it is not known.
    public var bodySize: Int64
  }

  /// The body of a request.
  public struct PostData: Codable, Hashable, Sendable {
    /// The media type.
    public var mimeType: String
    /// The body as text, if it is kept.
    public var text: String?
    /// The fields of a form, which some programs write in place of the text.
    public var params: [Pair]?
    /// A note.
    public var comment: String?
  }

  /// A response.
  public struct Response: Codable, Hashable, Sendable {
    /// The status; 0 if there was no response.
    public var status: Int
    /// The reason phrase.
    public var statusText: String
    /// The version of HTTP, such as `HTTP/1.1`.
    public var httpVersion: String
    /// The cookies that the response sets.
    public var cookies: [Pair]
    /// The header fields.
    public var headers: [Pair]
    /// The body.
    public var content: Content
    /// The field `Location`; empty if there is none.
    public var redirectURL: String
    /// The size of the head in bytes; −1 if it is not known.
    public var headersSize: Int64
    /// The size of the body in bytes as it was received; −1 if it is not known.
    public var bodySize: Int64
  }

  /// The body of a response.
  public struct Content: Codable, Hashable, Sendable {
    /// The size in bytes, after decompression.
    public var size: Int64
    /// The media type.
    public var mimeType: String
    /// The body, if it is kept.
    public var text: String?
    /// `base64` if the body is not text.
    public var encoding: String?
    /// A note, such as that the body was longer than the limit.
    public var comment: String?
  }
}
