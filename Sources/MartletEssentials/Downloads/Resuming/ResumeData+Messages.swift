import EssentialFoundation
import HTTPTypes
import MartletCore
import SystemPackage

/// Resume data from a response, and a request from resume data.
extension ResumeData {
  /// The resume data of a response that breaks off.
  ///
  /// - Parameters:
  ///   - request: The request as it was made.
  ///   - head: The head of its response, which has the whole body.
  ///   - file: The file to which the body is written.
  init(_ request: Request, _ head: ResponseHead, file: URL) {
    self.init(url: request.url, headers: request.headers, file: file)
    length = head.announcedLength
    digest = head.headers[.reprDigest]
    disposition = head.headers[.contentDisposition]
    guard request.method == .get, head.mayBeResumed else { return }
    entityTag = head.headers[.eTag].flatMap { $0.hasPrefix("\"") ? $0 : nil }
    lastModified = head.strongDate
  }

  /// Returns the resume data for a response with a part that continues the file.
  func updated(from head: ResponseHead, total: Int64?) -> ResumeData {
    var data = self
    data.length = total
    data.digest = head.headers[.reprDigest] ?? digest
    data.disposition = head.headers[.contentDisposition] ?? disposition
    return data
  }

  /// Whether the download can be resumed. A partial file that is longer than the whole holds other bytes.
  var isUsable: Bool { received > 0 && received <= length ?? .max && validator != nil }

  /// The request for the whole body.
  var request: Request { Request(url: url, headers: headers) }

  /// Adds the fields that request the missing bytes, or the whole body if the resource has changed (RFC 9110 §13.1.5).
  ///
  /// - Throws: `MartletError` with code `.invalidHeader` for a validator that no server can have sent.
  func addRangeFields(to request: inout Request) throws(MartletError) {
    guard let validator else { return }
    request.headers[.range] = "bytes=\(received)-"
    try request.headers.set(name: "If-Range", value: validator)
  }

  /// Returns the resume data, with no more bytes than the partial file has.
  ///
  /// - Throws: `MartletError` with code `.invalidResumeData` when the partial file is gone.
  func checked() throws(MartletError) -> ResumeData {
    guard let status = file.statusOfName, status.type == .regular else {
      throw .partialFileGone(file)
    }
    var data = self
    // A file that has become shorter is still the beginning of the body.
    data.received = min(received, status.size)
    return data
  }
}

extension ResponseHead {
  /// Whether the body can be resumed. A compressed body cannot, because the file has other bytes.
  fileprivate var mayBeResumed: Bool {
    status == .ok && !isEncoded && headers[.acceptRanges]?.lowercased() != "none"
  }

  /// `Last-Modified`, if it is a strong validator: the body cannot have changed again within the same second (RFC 9110
  /// §8.8.2.2).
  fileprivate var strongDate: String? {
    guard let text = headers[.lastModified], let modified = HTTPDate.seconds(of: text),
      let sent = headers[.date].flatMap(HTTPDate.seconds), modified < sent
    else { return nil }
    return text
  }
}

extension HTTPField.Name {
  /// RFC 9530 §3.
  static let reprDigest = known("Repr-Digest")
  /// RFC 9530 §2.
  static let contentDigest = known("Content-Digest")

  private static func known(_ name: String) -> HTTPField.Name {
    HTTPField.Name(name) ?? .eTag
  }
}
