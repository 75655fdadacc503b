/// The structures of the inputs of the targets.
extension Target {
  /// The structure; `nil` if there is none but bytes.
  var structure: Structure? {
    switch self {
    case .http1Connection, .responseParser: .lines(Self.messageLines)
    case .headParser, .tunnel: .lines(Self.headLines)
    case .http2Connection: .frames(after: 2)
    case .http2Frames: .frames(after: 0)
    case .cacheFields, .responseFields: .lines(Self.cachingLines + [":status: 200\n", "\n"])
    case .announcements: .lines(Self.announcementLines)
    case .cacheRecord: .texts(Self.cachingTexts)
    case .downloadRecord: .lines(Self.recordLines)
    case .redisReply: .lines(Self.replyLines)
    case .cookiesText: .lines(Self.cookieLines)
    case .netrc: .lines(Self.netrcLines)
    default: nil
    }
  }

  private static let headLines = [
    "HTTP/1.1 200 OK\r\n", "HTTP/1.0 200\r\n", "HTTP/1.1 204 \r\n", "HTTP/1.1 304 \r\n",
    "HTTP/1.1 100 Continue\r\n", "HTTP/1.1 103 \r\n", "HTTP/1.1 101 \r\n", "HTTP/1.1 407 \r\n",
    "Content-Length: 4\r\n", "Content-Length: 0\r\n", "Content-Length: 4, 4\r\n", "\r\n", "\n",
    "Transfer-Encoding: chunked\r\n", "Transfer-Encoding: gzip, chunked\r\n",
    "Connection: close\r\n", "Connection: keep-alive\r\n", "Keep-Alive: timeout=5\r\n",
    "Upgrade: websocket\r\n", "Proxy-Authenticate: Basic realm=\"a\"\r\n", " folded\r\n", "A:\r\n",
  ]

  private static let messageLines =
    headLines + [
      "4\r\ntern\r\n", "1;a=\"b\"\r\nx\r\n", "0\r\n", "0\r\n\r\n", "tern", "FFFFFFFFFFFFFFFF\r\n",
      "8000000000000000\r\n", "00000000000000004\r\n", "4 \r\n", "4;\r\n", "Expires: 0\r\n",
      "\u{FF}",
    ]

  private static let cachingLines = cachingTexts.filter { $0.contains(": ") }.map { $0 + "\n" }

  private static let cachingTexts = [
    "cache-control", "vary", "*", "accept-language", "/terns", "http://h/",
    "Cache-Control: max-age=60", "Cache-Control: no-store", "Cache-Control: s-maxage=1, public",
    "Cache-Control: private=\"set-cookie\"", "Cache-Control: no-cache, must-revalidate",
    "Cache-Control: stale-while-revalidate=9, stale-if-error=9", "Vary: Accept-Language, *",
    "Vary: Accept", "Accept-Language: en, de;q=0.5", "Age: 4294967296", "Expires: 0",
    "Date: Sun, 06 Nov 1994 08:49:37 GMT", "Last-Modified: Sunday, 06-Nov-94 08:49:37 GMT",
    "ETag: W/\"a\"", "ETag: \"a\"", "If-None-Match: \"a\", *", "Range: bytes=0-1",
    "Pragma: no-cache",
    "Content-Range: bytes 0-3/4", "Content-Length: 4", "Authorization: Basic YTpi",
    "Set-Cookie: a=b",
  ]

  private static let announcementLines = [
    "Retry-After: 120\n", "Retry-After: Sun, 06 Nov 1994 08:51:37 GMT\n",
    "Date: Sun, 06 Nov 1994 08:49:37 GMT\n", "RateLimit: \"a\";r=50;t=30\n",
    "RateLimit: a;r=0;t=999999999, b;r=1\n", "RateLimit-Remaining: 0\n",
    "RateLimit-Reset: 784111777\n", "Link: </2>; rel=\"next\"\n",
    "Link: <http://h/?a=1,2>; rel=prev, <3>; rel=\"last next\"; title*=UTF-8''a\n",
    "Link: <4>; rel=next; anchor=\"/1\"\n",
  ]

  private static let recordLines = [
    "  \"length\" : 4,\n", "  \"received\" : -1,\n", "  \"received\" : 9223372036854775807,\n",
    "  \"file\" : \"http://h/\",\n", "  \"url\" : \"\",\n", "  \"entityTag\" : \"W/\\\"a\\\"\",\n",
    "  \"algorithm\" : \"sha-512\",\n", "  \"bytes\" : \"AA==\"\n", "  \"headers\" : [],\n",
    "{ \"name\" : \":status\", \"value\" : \"\\r\" },\n", "  \"startDate\" : 0,\n",
    "  \"resumeData\" : {\n", "  },\n", "}\n", "  \"path\" : null,\n", "  \"begun\" : 1e308,\n",
  ]

  private static let replyLines = [
    "+OK\r\n", "-ERR wrong\r\n", ":9223372036854775807\r\n", "$4\r\ntern\r\n", "$-1\r\n", "*-1\r\n",
    "*2\r\n", "*0\r\n", "$0\r\n\r\n", "$257\r\n", ":-0\r\n",
  ]

  private static let cookieLines = [
    "# Netscape HTTP Cookie File\n", "#HttpOnly_h\tFALSE\t/\tTRUE\t0\ta\tb\n",
    ".h.example\tTRUE\t/\tFALSE\t4294967296\ta\tb\n", "h\tFALSE\t/a\tFALSE\t-1\t\t\n", "\n",
  ]

  private static let netrcLines = [
    "machine example.com login a password b\n", "default login a\n", "macdef init\n", "\n",
    "machine \"example.com\"\n", "password \"a b\\\"\"\n", "account c\n", "# a comment\n",
  ]
}
