import Foundation
import HTTPTypes
import MartletImages
import MartletXML

@testable import Martlet
@testable import MartletEssentials

/// What meets hostile bytes, and what must hold of what it makes of them.
///
/// Errors are as good as values; what is looked for are traps, endless loops, and promises not kept.
enum Target: String, CaseIterable {
  case contentType = "content-type"
  case contentDisposition = "content-disposition"
  case text
  case propertyList = "property-list"
  case json
  case xml
  case image
  case pem
  case certificate
  case pin
  case challenge
  case netrc
  case setCookie = "set-cookie"
  case cookiesText = "cookies-txt"
  case proxy
  case proxyHosts = "proxy-hosts"
  case tunnel
  case socks5
  case netlink
  case http1Connection = "http1-connection"
  case http2Connection = "http2-connection"
  case http2Frames = "http2-frames"
  case responseParser = "response-parser"
  case headParser = "head-parser"
  case responseFields = "response-fields"
  case redirect
  case announcements
  case inflate
  case cacheFields = "cache-fields"
  case cacheRecord = "cache-record"
  case redisReply = "redis-reply"
  case downloadRecord = "download-record"

  func run(_ data: Data) throws {
    switch self {
    case .contentType: contentType(data)
    case .contentDisposition: contentDisposition(data)
    case .text: try text(data)
    case .propertyList: try propertyList(data)
    case .json: try json(data)
    case .xml: try xml(data)
    case .image: image(data)
    case .pem: try pem(data)
    case .certificate: certificate(data)
    case .pin: try pin(data)
    case .challenge: challenge(data)
    case .netrc: try netrc(data)
    case .setCookie: try setCookie(data)
    case .cookiesText: try cookiesText(data)
    case .proxy: try proxy(data)
    case .proxyHosts: try proxyHosts(data)
    case .tunnel: try tunnel(data)
    case .socks5: try socks5(data)
    case .netlink: netlink(data)
    case .http1Connection: try http1Connection(data)
    case .http2Connection: try http2Connection(data)
    case .http2Frames: http2Frames(data)
    case .responseParser: responseParser(data)
    case .headParser: try headParser(data)
    case .responseFields: try responseFields(data)
    case .redirect: try redirect(data)
    case .announcements: try announcements(data)
    case .inflate: try inflate(data)
    case .cacheFields: try cacheFields(data)
    case .cacheRecord: try cacheRecord(data)
    case .redisReply: redisReply(data)
    case .downloadRecord: try downloadRecord(data)
    }
  }

  private func contentType(_ data: Data) {
    let response = Response(.contentType, data)
    if let type = response.mimeType {
      precondition(!type.isEmpty && !type.utf8.contains(UInt8(ascii: ";")))
    }
    if let charset = response.charset { precondition(!charset.isEmpty) }
  }

  private func contentDisposition(_ data: Data) {
    let response = Response(.contentDisposition, data)
    guard let name = response.head.suggestedFileName(from: response.url) else { return }
    precondition(!name.isEmpty && name.utf8.count <= 200 && !name.hasPrefix("."))
    precondition(!name.unicodeScalars.contains { $0 == "/" || $0 == "\\" || $0.value < 32 })
  }

  /// The first line is the content type, the rest the body.
  private func text(_ data: Data) throws {
    let parts = data.split(separator: UInt8(ascii: "\n"), maxSplits: 1)
    let response = Response(.contentType, parts.first ?? Data())
    _ = try TextResponseSerializer().serialize(response, data: parts.dropFirst().first ?? Data())
  }

  private func propertyList(_ data: Data) throws {
    let list = try PropertyList(parsing: data)
    _ = try PropertyList(parsing: list.data(format: .binary))
  }

  private func json(_ data: Data) throws {
    let json = try JSON(parsing: data, options: .fragmentsAllowed)
    let again = try? JSON(parsing: json.data(), options: .fragmentsAllowed)
    precondition(again != nil)
  }

  private func xml(_ data: Data) throws {
    let options: XML.ReadingOptions = [.keepsWhitespace, .keepsComments, .keepsInstructions]
    let xml = try XML(parsing: data, options: options)
    let again = try? XML(parsing: Data(xml.description.utf8), options: options)
    precondition(again == xml)
  }

  private func image(_ data: Data) {
    guard let header = try? ImageHeader(reading: data) else { return }
    precondition(header.width > 0 && header.height > 0 && ImageFormat(of: data) != nil)
  }

  private func pem(_ data: Data) throws {
    for der in CertificateReader.certificates(in: data) {
      precondition(CertificateReader.certificates(in: Data(der)) == [der])
    }
    _ = try ClientIdentity(pem: String(decoding: data, as: UTF8.self), passphrase: "tern")
  }

  private func certificate(_ data: Data) {
    let der = Array(data)
    _ = PublicKeyPin(of: der)
    guard let certificate = CertificateDescription(der: der) else { return }
    precondition(certificate.pin == PublicKeyPin(of: der))
  }

  private func pin(_ data: Data) throws {
    for pin in try PublicKeyPin.all(in: String(decoding: data, as: UTF8.self)) {
      let again = try PublicKeyPin("\(pin)")
      precondition(again == pin && pin.digest.count == 32)
    }
  }

  /// The first line of an input, and the rest of it.
  static func firstLine(of data: Data) -> (line: String, rest: String) {
    let parts = data.split(separator: UInt8(ascii: "\n"), maxSplits: 1)
    return (
      String(decoding: parts.first ?? Data(), as: UTF8.self),
      String(decoding: parts.dropFirst().first ?? Data(), as: UTF8.self)
    )
  }

  /// The first line is the URL that answers, the rest the field.
  private func setCookie(_ data: Data) throws {
    let (line, field) = Self.firstLine(of: data)
    guard let url = URL(string: line) else { return }
    let cookie = try Cookie(setCookie: field, from: url)
    precondition(cookie.name.utf8.count + cookie.value.utf8.count <= 4096)
    let jar = CookieJar()
    let isTaken = (try? jar.set(cookie)) != nil
    precondition(isTaken)
    if let header = jar.header(for: url) { precondition(HTTPField.isValidValue(header)) }
  }

  /// The record of a download in a store.
  private func downloadRecord(_ data: Data) throws {
    let download = try JSONDecoder().decode(StoredDownload.self, from: data)
    let resumeData = download.resumeData
    precondition(resumeData.received >= 0 && resumeData.received <= resumeData.length ?? .max)
    precondition(resumeData.file.isFileURL)
    let again = try? JSONDecoder().decode(
      StoredDownload.self, from: try JSONEncoder().encode(download))
    precondition(again == download)
    // Fields that a request cannot send are refused when it is sent.
    _ = (try? resumeData.request.origin, resumeData.position, download.description)
  }

  private func cookiesText(_ data: Data) throws {
    let cookies = try CookieFile.cookies(in: data)
    let text = CookieFile.encode(cookies)
    let again = try? CookieFile.cookies(in: text)
    precondition(again?.count == cookies.count && again.map { CookieFile.encode($0) } == text)
  }
}

extension Target {
  private func challenge(_ data: Data) {
    let field = String(decoding: data, as: UTF8.self)
    let challenges = AuthenticationChallenge.all(in: [field])
    precondition(challenges.count <= 64 && challenges.allSatisfy { !$0.scheme.isEmpty })
  }

  private func netrc(_ data: Data) throws {
    _ = try Netrc(String(decoding: data, as: UTF8.self)).credential(for: "example.com")
  }

  private func netlink(_ data: Data) {
    var snapshot = NetworkSnapshot()
    for message in NetlinkMessages(Array(data)[...]) {
      snapshot.add(message) { name, _ in name == "lo" ? .loopback : .wired }
    }
    for address in snapshot.addresses {
      precondition([4, 16].contains(address.bytes.count))
      _ = snapshot.interface(towards: address.bytes)
    }
    for length in [4, 16] {
      _ = snapshot.interface(towards: Array((data + Data(count: length)).prefix(length)))
    }
  }
}

extension Response {
  /// A response with one field.
  init(_ name: HTTPField.Name, _ value: Data) {
    var headers = HTTPFields()
    headers[name] = String(decoding: value, as: UTF8.self)
    self.init(
      head: ResponseHead(status: .ok, headers: headers), url: URL(fileURLWithPath: "/a/b.txt"))
  }
}
