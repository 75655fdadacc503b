import EssentialFoundation
import Testing

@testable import MartletCore

/// The ASCII form of host names in Unicode (UTS #46, RFC 3492).
struct InternationalNameTests {
  @Test(
    arguments: [
      ("bücher.de", "xn--bcher-kva.de"), ("BÜCHER.DE", "xn--bcher-kva.de"),
      ("bu\u{308}cher.de", "xn--bcher-kva.de"), ("faß.de", "xn--fa-hia.de"),
      ("日本語。ｊｐ", "xn--wgv71a119e.jp"), ("ﬁsh.example", "fish.example"),
      ("한국.kr.", "xn--3e0b707e.kr."), ("b\u{AD}ü.de", "xn--b-eha.de"),
      ("xn--bcher-kva.ü", "xn--bcher-kva.xn--tda"), ("пример.рф", "xn--e1afmkfd.xn--p1ai"),
      ("نامه\u{200C}ای.com", "xn--mgba3gch31f060k.com"),
      ("क्\u{200D}ष.example", "xn--11b2ezcw70k.example"), ("😀.example", "xn--e28h.example"),
    ])
  func `a name is mapped, composed and encoded`(name: String, ascii: String) {
    #expect(InternationalName.ascii(name) == ascii)
  }

  @Test(
    arguments: [
      "\u{301}a.de", "-ü.de", "ü-.de", "ü..de", "ü\u{200D}.de", "a\u{200C}ü.de", "ü\u{FFFD}.de",
      "\u{AD}.ü", "ü.xn--bcher-kv", "ü.xn--a-", "ü.xn--a-b-", "ü.xn--Bcher-Kva\u{80}",
      "ü.xn--99999999",
      "ü.xn--u-ccb",
    ])
  func `what cannot be a name is refused`(name: String) {
    #expect(InternationalName.ascii(name) == nil)
  }

  /// RFC 3492 §7.1.
  @Test(
    arguments: [
      ("他们为什么不说中文", "ihqwcrb4cv8a8dqg056pqjye"), ("3年B組金八先生", "3B-ww4c5e180e575a65lsy2b"),
      ("安室奈美恵-with-SUPER-MONKEYS", "-with-SUPER-MONKEYS-pc58ag80a8qai00g7n9n"),
      ("そのスピードで", "d9juau41awczczp"), ("-> $1.00 <-", "-> $1.00 <--"),
    ])
  func `Punycode is read and written`(text: String, encoded: String) {
    #expect(Punycode.encode(Array(text.unicodeScalars)) == encoded)
    #expect(Punycode.decode(encoded) == Array(text.unicodeScalars))
  }

  @Test(arguments: ["99999999999999", "a-ü", "~", "zzzzzzzzzzzzzzzzzzzzzzz"])
  func `what is not Punycode is refused`(encoded: String) {
    #expect(Punycode.decode(encoded) == nil)
  }
}
