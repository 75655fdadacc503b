public import EssentialFoundation
public import HTTPTypes

/// What a download that was broken off needs to go on: what was asked for, which state of it came, and where
/// the bytes are that came.
///
/// It can be kept anywhere, with `Codable`; the bytes stay in the partial file. The header fields of the
/// request are in it, credentials among them: keep it where you would keep those.
public struct ResumeData: Hashable, Sendable {
  /// The URL asked for, before redirects.
  public var url: URL
  /// The header fields of the request.
  public var headers: HTTPFields
  /// The strong entity tag of what came (RFC 9110 §8.8.3), if it had one.
  public var entityTag: String?
  /// The `Last-Modified` of what came, if it is as good as a strong entity tag (RFC 9110 §8.8.2.2).
  public var lastModified: String?
  /// How many bytes there are in all, or `nil` when the server did not say.
  public var length: Int64?
  /// The `Repr-Digest` of what came (RFC 9530 §3), if the server gave one.
  public var digest: String?
  /// The `Content-Disposition` of what came, for the name of the file.
  public var disposition: String?
  /// The partial file.
  public var file: URL
  /// How many bytes of the partial file count; any behind them are cut off.
  public var received: Int64

  /// Resume data for nothing but a request so far.
  ///
  /// - Parameters:
  ///   - url: The URL asked for.
  ///   - headers: The header fields of the request. The default is none.
  ///   - file: The partial file.
  ///   - received: How many bytes of it count. The default is none.
  public init(url: URL, headers: HTTPFields = [:], file: URL, received: Int64 = 0) {
    self.url = url
    self.headers = headers
    self.file = file
    self.received = received
  }

  /// What tells whether the server still has what came: the entity tag, else the date. Without, a download
  /// begins anew.
  public var validator: String? { entityTag ?? lastModified }

  /// Removes the partial file, when the download is not to be resumed.
  public func discard() {
    try? FileManager.default.removeItem(at: file)
  }
}

extension ResumeData: Codable {
  private enum CodingKeys: String, CodingKey {
    case url, headers, entityTag, lastModified, length, digest, disposition, file, received
  }

  /// Resume data from where it was kept.
  ///
  /// - Throws: `DecodingError`, for numbers that cannot be as well.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    url = try values.decode(URL.self, forKey: .url)
    headers = try values.decodeFields(forKey: .headers)
    entityTag = try values.decodeIfPresent(String.self, forKey: .entityTag)
    lastModified = try values.decodeIfPresent(String.self, forKey: .lastModified)
    length = try values.decodeIfPresent(Int64.self, forKey: .length)
    digest = try values.decodeIfPresent(String.self, forKey: .digest)
    disposition = try values.decodeIfPresent(String.self, forKey: .disposition)
    file = try values.decode(URL.self, forKey: .file)
    received = try values.decode(Int64.self, forKey: .received)
    guard received >= 0, received <= length ?? .max, file.isFileURL else {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: decoder.codingPath,
          debugDescription: "The bytes that are there do not fit the whole."))
    }
  }
}

extension ResumeData: CustomStringConvertible, CustomReflectable {
  /// The data as text, such as `<ResumeData: 10 of 300 bytes of https://example.com/big.iso>`; secrets are
  /// masked.
  public var description: String {
    let amount = length.map { "\(received) of \($0) bytes" } ?? "\(received) bytes"
    return "<ResumeData: \(amount) of \(url.masked)>"
  }

  /// What debuggers show; secrets are masked here, too.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "url": url.masked, "headers": headers.map(\.masked), "validator": validator as Any,
        "length": length as Any, "file": file.path, "received": received,
      ], displayStyle: .struct)
  }
}
