public import EssentialFoundation
import NIOCore

/// A multipart form with fields and files: the `multipart/form-data` of RFC 7578.
///
///     let answer: Answer = try await api.post("photos", parameters: ["album": "june"]) { form in
///       try form.append(fileAt: photo, name: "photo")
///       form.append(text: "A tern", name: "caption")
///     }
///
/// The parts are sent in the order in which they were appended, after the parameters of the request. Files and streams
/// are read while they are sent, and are never held in memory as a whole.
public struct MultipartFormData: Sendable {
  /// How names represent characters that are not ASCII.
  public enum NameEncoding: String, Hashable, Codable, Sendable {
    /// As UTF-8, like browsers (RFC 7578 §5.1).
    case utf8
    /// As UTF-8 with each byte percent-encoded, and `%` as well (RFC 7578 §2), for servers that accept only ASCII.
    case percentEncoded
  }

  /// How the names of parts and files represent characters that are not ASCII. The default is `.utf8`.
  ///
  /// Quotation marks, CR, LF and NUL become `%22`, `%0D`, `%0A` and `%00` in both cases (REQ-M10 differs: there nothing
  /// is escaped).
  public var nameEncoding = NameEncoding.utf8
  /// How fast the form is sent. The default, `nil`, is as fast as possible.
  private(set) var throttle: UploadThrottle?
  private(set) var parts: [MultipartPart] = []

  /// A form without parts.
  public init() {}

  // MARK: Files

  /// Appends a file, which is read when the form is sent.
  ///
  /// - Parameters:
  ///   - url: A file URL.
  ///   - name: The name of the part.
  ///   - fileName: The file name that the server receives. The default is the name of the file.
  ///   - mimeType: The media type. The default is that of the extension in `url`, or `application/octet-stream` for an
  ///     unknown extension.
  /// - Throws: `MartletError` with code `.notFileURL`, or `.fileNotReachable` for a file that does not exist, is not a
  ///   regular file, or cannot be read; `.invalidHeader` for a media type that a header field cannot contain, such as
  ///   one with a line break. If the length of the file has changed when it is sent, the request fails with code
  ///   `.bodyLengthMismatch`.
  public mutating func append(
    fileAt url: URL, name: String, fileName: String? = nil, mimeType: String? = nil
  ) throws(MartletError) {
    let file = try RequestBody.file(at: url)
    guard FileManager.default.isReadableFile(atPath: url.path) else {
      throw .fileNotReachable(url, underlying: CocoaError(.fileReadNoPermission))
    }
    try append(
      file, name: name, fileName: fileName ?? url.lastPathComponent,
      mimeType: mimeType ?? MediaType.ofFile(named: url.lastPathComponent))
  }

  /// Appends a file that is in memory.
  ///
  /// - Parameters:
  ///   - data: The content.
  ///   - name: The name of the part.
  ///   - fileName: The file name that the server receives.
  ///   - mimeType: The media type.
  /// - Throws: `MartletError` with code `.invalidHeader` for a media type that a header field cannot contain, such as
  ///   one with a line break.
  public mutating func append(
    fileData data: Data, name: String, fileName: String, mimeType: String
  ) throws(MartletError) {
    try append(.data(data), name: name, fileName: fileName, mimeType: mimeType)
  }

  /// Appends a file whose content is any body: a part of a file, a producer, an asynchronous sequence.
  ///
  /// The form can be sent again, as redirects and authentication may require, when all its parts can.
  ///
  /// - Parameters:
  ///   - content: The content. If its size is not its announced length, the request fails with code
  ///     `.bodyLengthMismatch`.
  ///   - name: The name of the part.
  ///   - fileName: The file name that the server receives.
  ///   - mimeType: The media type.
  /// - Throws: `MartletError` with code `.invalidHeader` for a media type that a header field cannot contain, such as
  ///   one with a line break.
  public mutating func append(
    _ content: RequestBody, name: String, fileName: String, mimeType: String
  ) throws(MartletError) {
    // Checked as text, because a field replaces invalid characters.
    _ = try HTTPField(validating: "Content-Type", value: mimeType)
    parts.append(
      MultipartPart(heading: .file(name: name, fileName: fileName, type: mimeType), body: content))
  }

  // MARK: Fields and others

  /// Appends a field, which has neither file name nor media type.
  public mutating func append(formData data: Data, name: String) {
    parts.append(MultipartPart(heading: .field(name: name), body: .data(data)))
  }

  /// Appends a field with a text.
  public mutating func append(text: String, name: String) {
    parts.append(MultipartPart(heading: .field(name: name), body: .text(text)))
  }

  /// Appends a part with custom headers, which may be empty.
  ///
  /// - Parameters:
  ///   - headers: `Content-Disposition` is written first, `Content-Type` next, and then the others in their order
  ///     (REQ-M11 differs: there the order is not specified). For text from an untrusted source use
  ///     `HTTPFields(validating:)`, which refuses line breaks.
  ///   - body: The content.
  public mutating func append(headers: HTTPFields, body: RequestBody) {
    parts.append(MultipartPart(heading: .raw(headers), body: body))
  }

  // MARK: Pace

  /// Sends the form slowly, for links on which a fast upload would fail.
  ///
  /// - Parameters:
  ///   - packetSize: The maximum number of bytes that are sent at once.
  ///   - delay: How long to wait after each packet.
  /// - Throws: `MartletError` with code `.invalidRequest` when `packetSize` is not positive.
  public mutating func throttleBandwidth(packetSize: Int, delay: Duration) throws(MartletError) {
    throttle = try UploadThrottle(packetSize: packetSize, delay: delay)
  }
}
