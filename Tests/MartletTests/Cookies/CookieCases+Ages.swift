/// RFC 6265bis §5.5, §5.6.1, §5.6.2 — how long a cookie lives.
extension CookieCase {
  private static let day = 86_400.0
  private static let past = "expires=Thu, 01 Jan 1970 00:00:01 GMT"
  private static let future = "expires=Fri, 01 Jan 2100 00:00:00 GMT"

  static let ages: [CookieCase] = [
    CookieCase(local + "/", "a=1", sends: "a=1", after: 1000 * day),
    CookieCase(local + "/", "a=1; \(future)", sends: "a=1"),
    CookieCase(local + "/", "a=1; \(past)", sends: nil),
    CookieCase(local + "/", "a=1", "a=; \(past)", sends: nil),
    CookieCase(local + "/", "a=1", "a=1; path=/x; \(past)", sends: "a=1"),
    CookieCase(local + "/", "a=1; expires=nonsense", sends: "a=1"),
    CookieCase(local + "/", "a=1; expires=", sends: "a=1"),
    CookieCase(local + "/", "a=1; expires=\"Thu, 01 Jan 1970 00:00:01 GMT\"", sends: nil),
    CookieCase(local + "/", "a=1; \(past); \(future)", sends: "a=1"),
    CookieCase(local + "/", "a=1; \(future); \(past)", sends: nil),
    CookieCase(local + "/", "a=1; \(past); expires=nonsense", sends: nil),
    CookieCase(local + "/", "a=1; max-age=10", sends: "a=1", after: 9),
    CookieCase(local + "/", "a=1; max-age=10", sends: nil, keeps: 0, after: 10),
    CookieCase(local + "/", "a=1; max-age=0", sends: nil),
    CookieCase(local + "/", "a=1; max-age=-1", sends: nil),
    CookieCase(local + "/", "a=1; max-age=-99999999999999999999", sends: nil),
    CookieCase(local + "/", "a=1; max-age=99999999999999999999", sends: "a=1", after: 399 * day),
    CookieCase(local + "/", "a=1; max-age=00000000010", sends: nil, keeps: 0, after: 11),
    CookieCase(local + "/", "a=1", "a=1; max-age=0", sends: nil),
    CookieCase(local + "/", "a=1; max-age=", sends: "a=1"),
    CookieCase(local + "/", "a=1; max-age", sends: "a=1"),
    CookieCase(local + "/", "a=1; max-age=-", sends: "a=1"),
    CookieCase(local + "/", "a=1; max-age=+0", sends: "a=1"),
    CookieCase(local + "/", "a=1; max-age=0.0", sends: "a=1"),
    CookieCase(local + "/", "a=1; max-age=0s", sends: "a=1"),
    CookieCase(local + "/", "a=1; max-age=\"0\"", sends: "a=1"),
    CookieCase(local + "/", "a=1; max-age=0; max-age=10", sends: "a=1"),
    CookieCase(local + "/", "a=1; max-age=10; max-age=0", sends: nil),
    CookieCase(local + "/", "a=1; max-age=0; max-age=x", sends: nil),
    CookieCase(local + "/", "a=1; max-age=10; \(past)", sends: "a=1"),
    CookieCase(local + "/", "a=1; max-age=0; \(future)", sends: nil),
    CookieCase(local + "/", "a=1; \(past); max-age=10", sends: "a=1"),
    CookieCase(local + "/", "a=1; max-age=x; \(past)", sends: nil),
    // Nothing lives for more than 400 days.
    CookieCase(local + "/", "a=1; \(future)", sends: "a=1", after: 399.9 * day),
    CookieCase(local + "/", "a=1; \(future)", sends: nil, keeps: 0, after: 400 * day),
    CookieCase(local + "/", "a=1; max-age=34560000", sends: "a=1", after: 399.9 * day),
    CookieCase(local + "/", "a=1; max-age=34560001", sends: nil, keeps: 0, after: 400 * day),
    CookieCase(
      local + "/", "a=1; expires=Thu, 01 Jan 2026 00:00:10 GMT", sends: nil, keeps: 0, after: 10),
  ]
}
