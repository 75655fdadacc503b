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
  ///   - url: The URL of the response, after redirects.
  ///   - file: The file to which the body is written.
  init(_ request: Request, _ head: ResponseHead, from url: URL, file: URL) {
    self.init(url: request.url, headers: request.headers, file: file)
    let position = BodyPosition(request, head, from: url)
    path = position.path
    length = position.length
    entityTag = position.entityTag
    lastModified = position.lastModified
    digest = head.headers[.reprDigest]
    disposition = head.headers[.contentDisposition]
  }

  /// How much of the body has been received.
  var position: BodyPosition { BodyPosition(self) }

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

extension HTTPField.Name {
  /// RFC 9530 §3.
  static let reprDigest = known("Repr-Digest")
  /// RFC 9530 §2.
  static let contentDigest = known("Content-Digest")

  private static func known(_ name: String) -> HTTPField.Name {
    HTTPField.Name(name) ?? .eTag
  }
}
