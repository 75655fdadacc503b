import EssentialFoundation
import HTTPTypes
import MartletCore
import SystemPackage

/// Resume data from a response, and a request from resume data.
extension ResumeData {
  /// What a response leaves when it breaks off.
  ///
  /// - Parameters:
  ///   - request: The request as it was made.
  ///   - head: The head of its response, a whole one.
  ///   - file: Where the body goes.
  init(_ request: Request, _ head: ResponseHead, file: URL) {
    self.init(url: request.url, headers: request.headers, file: file)
    length = head.announcedLength
    digest = head.headers[.reprDigest]
    disposition = head.headers[.contentDisposition]
    guard request.method == .get, head.mayBeResumed else { return }
    entityTag = head.headers[.eTag].flatMap { $0.hasPrefix("\"") ? $0 : nil }
    lastModified = head.strongDate
  }

  /// The same after a part has been announced that goes on from it.
  func following(_ head: ResponseHead, total: Int64?) -> ResumeData {
    var data = self
    data.length = total
    data.digest = head.headers[.reprDigest] ?? digest
    data.disposition = head.headers[.contentDisposition] ?? disposition
    return data
  }

  /// Whether there is something to go on from.
  var isUsable: Bool { received > 0 && validator != nil }

  /// The request that begins the download anew.
  var request: Request { Request(url: url, headers: headers) }

  /// Asks for what is missing, or for the whole if that has changed (RFC 9110 §13.1.5).
  ///
  /// - Throws: `MartletError` with code `.invalidHeader` for a validator that no server can have sent.
  func addRangeFields(to request: inout Request) throws(MartletError) {
    guard let validator else { return }
    request.headers[.range] = "bytes=\(received)-"
    try request.headers.set(name: "If-Range", value: validator)
  }

  /// The data as far as the partial file bears it out.
  ///
  /// - Throws: `MartletError` with code `.invalidResumeData` when that is gone.
  func checked() throws(MartletError) -> ResumeData {
    guard let status = file.statusOfName, status.type == .regular else {
      throw .partialFileGone(file)
    }
    var data = self
    // Less than there was: what is there is still its beginning.
    data.received = min(received, status.size)
    return data
  }
}

extension ResponseHead {
  /// A compressed body does not have the bytes that it is written as.
  fileprivate var mayBeResumed: Bool {
    status == .ok && !isEncoded && headers[.acceptRanges]?.lowercased() != "none"
  }

  /// Whether the body is compressed.
  var isEncoded: Bool {
    headers[.contentEncoding].map { $0.lowercased() != "identity" } ?? false
  }

  /// `Last-Modified`, when what came could not have changed within the same second unnoticed (RFC 9110
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
