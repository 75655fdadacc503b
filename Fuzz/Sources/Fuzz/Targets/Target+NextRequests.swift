import Foundation
import HTTPTypes

@testable import MartletCore
@testable import MartletEssentials

/// What a server says about the next request: where it goes, and when it is accepted.
extension Target {
  /// The first line is the URL that was requested, the rest the `Location` of the response.
  func redirect(_ data: Data) throws {
    let (line, location) = Self.firstLine(of: data)
    var request = try Request(.get, line)
    request.headers = [.authorization: "Basic YTpi", .cookie: "a=b"]
    let head = ResponseHead(status: .found, headers: [.location: location])
    guard let next = try RedirectPolicy().request(after: head, to: request, count: 0) else {
      return
    }
    try Self.check(next, after: request)
  }

  /// Each line is a field of a response: a name, a colon and a value.
  func announcements(_ data: Data) throws {
    let headers = Self.fields(Substring(String(decoding: data, as: UTF8.self)))
    let now = Date(timeIntervalSince1970: 784_111_777)
    let announcement = RateAnnouncement(
      ResponseHead(status: .tooManyRequests, headers: headers), at: now)
    for time in [announcement.pause, announcement.reset].compactMap({ $0 }) {
      precondition((Duration.zero ... .seconds(300)).contains(time))
    }
    precondition(announcement.remaining ?? 0 >= 0)
    precondition(RetryAfter.delay(headers, at: now) ?? .zero >= .zero)
    guard let target = LinkFields(headers).target(of: "next") else { return }
    precondition(!target.contains(">"))
    for scheme in ["http", "https"] {
      var first = try Request(.get, "\(scheme)://h/terns")
      first.headers = [.authorization: "Basic YTpi"]
      let url = try URL(escaping: target, relativeTo: first.url).absoluteURL
      // Links that are not followed are an error.
      guard let next = try? RedirectPolicy().request(first, movedTo: url) else { continue }
      try Self.check(next, after: first)
    }
  }

  /// A request with a URL that a server has chosen is as secure as the one before, and another server gets no credentials.
  private static func check(_ next: Request, after last: Request) throws {
    let (old, new) = (try last.origin, try next.origin)
    precondition(new.isSecure || !old.isSecure)
    let again = try? Request(.get, next.url.absoluteString).origin
    precondition(again == new)
    precondition(old == new || next.headers.isEmpty && !next.hasUserInfo)
  }
}
