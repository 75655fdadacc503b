/// RFC 6265bis §5.1.3, §5.6.3, §5.7 — which hosts a cookie is for.
extension CookieCase {
  static let domains: [CookieCase] = [
    CookieCase("http://a.example/", "a=1", sends: "a=1"),
    CookieCase("http://a.example/", "a=1", to: "http://b.a.example/", sends: nil, keeps: 1),
    CookieCase("http://a.example/", "a=1", to: "http://b.example/", sends: nil, keeps: 1),
    CookieCase("http://A.Example/", "a=1", to: "http://a.EXAMPLE/", sends: "a=1"),
    CookieCase("http://a.example:81/", "a=1", to: "https://a.example:82/", sends: "a=1"),
    CookieCase(
      "http://a.example/", "a=1; domain=a.example", to: "http://b.a.example/", sends: "a=1"),
    CookieCase(
      "http://a.example/", "a=1; domain=a.example", to: "http://c.b.a.example/", sends: "a=1"),
    CookieCase(
      "http://a.example/", "a=1; domain=.a.example", to: "http://b.a.example/", sends: "a=1"),
    CookieCase(
      "http://a.example/", "a=1; domain=A.EXAMPLE", to: "http://b.a.example/", sends: "a=1"),
    CookieCase(
      "http://a.example/", "a=1; DOMAIN= a.example ", to: "http://b.a.example/", sends: "a=1"),
    CookieCase(
      "http://b.a.example/", "a=1; domain=a.example", to: "http://a.example/", sends: "a=1"),
    CookieCase(
      "http://b.a.example/", "a=1; domain=a.example", to: "http://c.a.example/", sends: "a=1"),
    CookieCase(
      "http://a.example/", "a=1; domain=a.example", to: "http://ba.example/", sends: nil, keeps: 1),
    CookieCase("http://a.example/", "a=1; domain=b.a.example", sends: nil),
    CookieCase("http://a.example/", "a=1; domain=b.example", sends: nil),
    CookieCase("http://ba.example/", "a=1; domain=a.example", sends: nil),
    CookieCase("http://a.example/", "a=1; domain=..a.example", sends: nil),
    CookieCase("http://a.example/", "a=1; domain=a.example.", sends: nil),
    CookieCase("http://a.example./", "a=1; domain=a.example", sends: nil),
    CookieCase(
      "http://b.a.example./", "a=1; domain=a.example.", to: "http://a.example./", sends: "a=1"),
    CookieCase("http://a.example./", "a=1", to: "http://a.example/", sends: nil, keeps: 1),
    CookieCase("http://a.example/", "a=1; domain=http://a.example", sends: nil),
    CookieCase("http://a.example:81/", "a=1; domain=a.example:81", sends: nil),
    CookieCase("http://a.example/", "a=1; domain=*.a.example", sends: nil),
    CookieCase("http://a.example/", "a=1; domain=\"a.example\"", sends: nil),
    // An empty domain is none, and the last one counts.
    CookieCase("http://a.example/", "a=1; domain=", sends: "a=1"),
    CookieCase("http://a.example/", "a=1; domain", sends: "a=1"),
    CookieCase("http://a.example/", "a=1; domain=.", sends: "a=1"),
    CookieCase(
      "http://a.example/", "a=1; domain=a.example; domain=", to: "http://b.a.example/", sends: nil,
      keeps: 1),
    CookieCase("http://a.example/", "a=1; domain=b.example; domain=a.example", sends: "a=1"),
    CookieCase("http://a.example/", "a=1; domain=a.example; domain=b.example", sends: nil),
    // One for the host and one for the domain are two.
    CookieCase("http://a.example/", "a=1", "a=2; domain=a.example", sends: "a=1; a=2"),
    CookieCase(
      "http://a.example/", "a=1", "a=2; domain=a.example", to: "http://b.a.example/", sends: "a=2",
      keeps: 2),
    CookieCase(
      "http://a.example/", "a=1", "a=2; domain=a.example; max-age=0", sends: "a=1", keeps: 1),
    // Addresses are below nothing.
    CookieCase("http://127.0.0.1/", "a=1; domain=127.0.0.1", sends: "a=1"),
    CookieCase("http://127.0.0.1/", "a=1; domain=0.0.1", sends: nil),
    CookieCase("http://127.0.0.1/", "a=1; domain=.0.0.1", sends: nil),
    CookieCase("http://127.0.0.1/", "a=1; domain=1", sends: nil),
    CookieCase("http://1.127.0.0.1/", "a=1; domain=127.0.0.1", sends: nil),
    CookieCase("http://x.0x7f/", "a=1; domain=0x7f", sends: nil),
    CookieCase(
      "http://127.0.0.1/", "a=1; domain=127.0.0.1", to: "http://1.127.0.0.1/", sends: nil, keeps: 1),
    CookieCase("http://[::1]/", "a=1", sends: "a=1"),
    CookieCase("http://[::1]/", "a=1; domain=[::1]", sends: "a=1"),
    CookieCase("http://[::1]/", "a=1; domain=::1", sends: "a=1"),
    CookieCase("http://[2001:db8::1]/", "a=1; domain=1", sends: nil),
    // Internationalised names are compared in ASCII.
    CookieCase("http://bücher.example/", "a=1", to: "http://xn--bcher-kva.example/", sends: "a=1"),
    CookieCase(
      "http://bücher.example/", "a=1; domain=xn--bcher-kva.example", to: "http://a.bücher.example/",
      sends: "a=1"),
    CookieCase("http://bücher.example/", "a=1; domain=bücher.example", sends: nil),
    CookieCase("http://k.example/", "a=1; domain=\u{212A}.example", sends: nil),
  ]

  /// Public suffixes.
  static let suffixes: [CookieCase] = [
    CookieCase("http://a.com/", "a=1; domain=com", sends: nil),
    CookieCase("http://a.com/", "a=1; domain=.com", sends: nil),
    CookieCase("http://a.com./", "a=1; domain=com.", sends: nil),
    CookieCase("http://a.co.uk/", "a=1; domain=co.uk", sends: nil),
    CookieCase("http://a.co.uk/", "a=1; domain=uk", sends: nil),
    CookieCase("http://b.a.co.uk/", "a=1; domain=a.co.uk", sends: "a=1"),
    CookieCase("http://a.github.io/", "a=1; domain=github.io", sends: nil),
    CookieCase("http://b.a.github.io/", "a=1; domain=a.github.io", sends: "a=1"),
    CookieCase("http://github.io/", "a=1; domain=github.io", sends: "a=1"),
    CookieCase(
      "http://github.io/", "a=1; domain=github.io", to: "http://a.github.io/", sends: nil, keeps: 1),
    CookieCase("http://b.a.ck/", "a=1; domain=a.ck", sends: nil),
    CookieCase("http://b.www.ck/", "a=1; domain=www.ck", sends: "a=1"),
    CookieCase("http://a.city.kobe.jp/", "a=1; domain=city.kobe.jp", sends: "a=1"),
    CookieCase("http://b.a.kobe.jp/", "a=1; domain=a.kobe.jp", sends: nil),
    CookieCase("http://a.xn--p1ai/", "a=1; domain=xn--p1ai", sends: nil),
    CookieCase("http://a.intranet/", "a=1; domain=intranet", sends: nil),
    CookieCase("http://b.a.intranet/", "a=1; domain=a.intranet", sends: "a=1"),
    CookieCase("http://intranet/", "a=1; domain=intranet", sends: "a=1"),
    CookieCase(
      "http://intranet/", "a=1; domain=intranet", to: "http://a.intranet/", sends: nil, keeps: 1),
    CookieCase("http://localhost/", "a=1; domain=localhost", sends: "a=1"),
    CookieCase("http://localhost/", "a=1; domain=.localhost", sends: "a=1"),
    CookieCase("http://a.localhost/", "a=1; domain=localhost", sends: nil),
  ]
}
