import Foundation
import SpecificationCoverage
import Testing

@testable import Martlet
@testable import MartletEssentials

struct DefaultHeaderValueTests {
  @Test(.covers("REQ-H2"))
  func `the weights of languages go down to a half, so six languages at most`() {
    #expect(DefaultHeaders.acceptLanguage(["de-CH"]) == "de-CH;q=1")
    #expect(
      DefaultHeaders.acceptLanguage(["a", "b", "c", "d", "e", "f", "g"])
        == "a;q=1, b;q=0.9, c;q=0.8, d;q=0.7, e;q=0.6, f;q=0.5")
    #expect(DefaultHeaders.acceptLanguage([]).isEmpty)
  }

  @Test(
    .covers("REQ-H2"),
    arguments: [
      (["LANG": "de_DE.UTF-8"], ["de-DE"]),
      (["LANG": "de_DE@euro", "LC_MESSAGES": "fr_FR", "LC_ALL": "it"], ["it"]),
      (["LANG": "de_DE", "LC_ALL": ""], ["de-DE"]),
      (["LANG": "de_DE.UTF-8", "LANGUAGE": "sv:nb_NO::de_DE"], ["sv", "nb-NO", "de-DE"]),
      (["LANGUAGE": "sv"], ["sv"]),
      (["LANG": "de_DE", "LANGUAGE": "it\r\nX: y:sv"], ["sv", "de-DE"]),
    ] as [([String: String], [String])])
  func `languages come from the environment`(environment: [String: String], languages: [String]) {
    #expect(DefaultHeaders.preferredLanguages(in: environment) == languages)
  }

  @Test(.covers("REQ-H2"), arguments: ["C", "C.UTF-8", "POSIX", ""])
  func `a locale without language leaves it to Foundation`(locale: String) {
    let environment = ["LANG": locale, "LANGUAGE": locale.isEmpty ? "" : "sv"]
    #expect(DefaultHeaders.preferredLanguages(in: environment) == Locale.preferredLanguages)
  }

  @Test(.covers("REQ-H3"))
  func `the agent is program, version and system`() {
    #expect(
      DefaultHeaders.userAgent(program: "weather", version: "2.1", system: "Debian GNU/Linux 12")
        == "weather/2.1 (Debian GNU/Linux 12)")
    #expect(
      DefaultHeaders.userAgent(program: "weather", version: nil, system: "Linux")
        == "weather Martlet/\(martletVersion) (Linux)")
  }

  @Test(.covers("REQ-H4"))
  func `the agent is plain ASCII`() {
    #expect(
      DefaultHeaders.userAgent(program: "Wetter-Büro", version: "東", system: "Linux")
        == "Wetter-Buro/dong (Linux)")
    #expect(
      DefaultHeaders.userAgent(program: "My App\r\n", version: "1", system: "A (b\\) 🐦")
        == "My-App/1 (A b )")
    #expect(
      DefaultHeaders.userAgent(program: "🐦", version: "", system: "") == "unknown/unknown ()")
  }

  @Test(.covers("REQ-H2", "REQ-H3"))
  func `every serializer starts with three headers`() {
    let headers = HTTPRequestSerializer().httpRequestHeaders
    // Servers that choose a format take no field for another wish than this one (RFC 9110 §12.5.1).
    #expect(headers[.accept] == "*/*")
    #expect(headers[.acceptLanguage]?.contains(";q=1") == true)
    #expect(headers[.userAgent]?.hasPrefix(ProcessInfo.processInfo.processName.prefix(4)) == true)
    #expect(headers[.userAgent]?.utf8.allSatisfy { $0 < 0x80 } == true)
  }
}
