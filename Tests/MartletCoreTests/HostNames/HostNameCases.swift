/// Host names and their ASCII forms (UTS #46, RFC 3492), for the tests and for a program without ICU.
enum HostNameCases {
  static let mapped = [
    ("bücher.de", "xn--bcher-kva.de"), ("BÜCHER.DE", "xn--bcher-kva.de"),
    ("bu\u{308}cher.de", "xn--bcher-kva.de"), ("faß.de", "xn--fa-hia.de"),
    ("日本語。ｊｐ", "xn--wgv71a119e.jp"), ("ﬁsh.example", "fish.example"),
    ("한국.kr.", "xn--3e0b707e.kr."), ("b\u{AD}ü.de", "xn--b-eha.de"),
    ("xn--bcher-kva.ü", "xn--bcher-kva.xn--tda"), ("пример.рф", "xn--e1afmkfd.xn--p1ai"),
    ("نامه\u{200C}ای.com", "xn--mgba3gch31f060k.com"),
    ("क्\u{200D}ष.example", "xn--11b2ezcw70k.example"), ("😀.example", "xn--e28h.example"),
  ]

  static let refused = [
    "good.com＠evil.com", "good.com／x", "a？ü", "a％ü", "℀.com", "a.\u{301}b.com", "xn--\u{301}a",
    "xn--任-kva.com",
    "\u{301}a.de", "-ü.de", "ü-.de", "ü..de", "ü\u{200D}.de", "a\u{200C}ü.de", "ü\u{FFFD}.de",
    "\u{AD}.ü", "ü.xn--bcher-kv", "ü.xn--a-", "ü.xn--a-b-", "ü.xn--Bcher-Kva\u{80}",
    "ü.xn--99999999",
    "ü.xn--u-ccb",
  ]

  /// The hosts of URLs.
  static let hosts = [
    ("http://bücher.example/", "xn--bcher-kva.example"),
    ("http://BÜCHER.example/", "xn--bcher-kva.example"),
    ("http://xn--bcher-kva.example/", "xn--bcher-kva.example"),
    ("http://b%C3%BCcher.example/", "xn--bcher-kva.example"),
    ("http://日本語。jp/", "xn--wgv71a119e.jp"), ("http://faß.de/", "xn--fa-hia.de"),
    ("http://ex%61mple.com/", "example.com"), ("http://exa_mple.com/", "exa_mple.com"),
  ]
}
