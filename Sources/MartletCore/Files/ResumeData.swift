public import EssentialFoundation
public import HTTPTypes

/// The data to resume an interrupted download: the request, the version of the file, and the location of the bytes.
///
/// It can be stored with `Codable`. The bytes stay in the partial file. The data includes the header fields of the
/// request with any credentials, so store it as safely as credentials.
public struct ResumeData: Hashable, Sendable {
  /// The requested URL, before redirects.
  public var url: URL
  /// The header fields of the request.
  public var headers: HTTPFields
  /// The path of the URL that the response came from, after redirects; `nil` if it is not known. The bytes of another path
  /// belong to another resource, whatever its validator. Its host and its query may change: mirrors, signed links.
  public var path: String?
  /// The strong entity tag of the response (RFC 9110 §8.8.3), if it had one.
  public var entityTag: String?
  /// The `Last-Modified` of the response, if it is a strong validator (RFC 9110 §8.8.2.2).
  public var lastModified: String?
  /// The total number of bytes, or `nil` if the server did not send it.
  public var length: Int64?
  /// The `Repr-Digest` of the response (RFC 9530 §3), if it had one.
  public var digest: String?
  /// The `Content-Disposition` of the response, for the file name.
  public var disposition: String?
  /// The partial file.
  public var file: URL
  /// The number of valid bytes in the partial file. Bytes after them are cut off.
  public var received: Int64

  /// Resume data of a request without a response.
  ///
  /// - Parameters:
  ///   - url: The requested URL.
  ///   - headers: The header fields of the request. The default is none.
  ///   - file: The partial file.
  ///   - received: The number of valid bytes in the partial file. The default is 0.
  public init(url: URL, headers: HTTPFields = [:], file: URL, received: Int64 = 0) {
    self.url = url
    self.headers = headers
    self.file = file
    self.received = received
  }

  /// The validator that shows whether the file has changed on the server: the entity tag, else the date.
  ///
  /// Without a validator, a download begins anew.
  public var validator: String? { entityTag ?? lastModified }

  /// Removes the partial file. Call it if the download will not be resumed.
  public func discard() {
    try? FileManager.default.removeItem(at: file)
  }
}

extension ResumeData: Codable {
  private enum CodingKeys: String, CodingKey {
    case url, headers, path, entityTag, lastModified, length, digest, disposition, file, received
  }

  /// Decodes resume data.
  ///
  /// - Throws: `DecodingError`, also for impossible numbers, and if the URL of the partial file is not a file URL.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    url = try values.decode(URL.self, forKey: .url)
    headers = try values.decodeFields(forKey: .headers)
    path = try values.decodeIfPresent(String.self, forKey: .path)
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
          debugDescription:
            "The received bytes do not fit the length, or the file is not a file URL."))
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

  /// The mirror for debuggers; secrets are masked.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "url": url.masked, "headers": headers.map(\.masked), "validator": validator as Any,
        "length": length as Any, "file": file.path, "received": received,
      ], displayStyle: .struct)
  }
}
