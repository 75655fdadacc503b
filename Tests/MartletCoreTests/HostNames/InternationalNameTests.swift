import EssentialFoundation
import Testing

@testable import MartletCore

/// The ASCII form of host names in Unicode (UTS #46, RFC 3492).
struct InternationalNameTests {
  @Test(arguments: HostNameCases.mapped)
  func `a name is mapped, composed and encoded`(name: String, ascii: String) {
    #expect(InternationalName.ascii(name) == ascii)
  }

  @Test(arguments: HostNameCases.refused)
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
