import Foundation
import Testing

@testable import Martlet
@testable import MartletEssentials

/// Which domains are public suffixes.
struct PublicSuffixTests {
  @Test(arguments: [
    "com", "uk", "co.uk", "github.io", "ck", "a.ck", "uk.com", "com.", "bd", "ac.bd", "k12.ma.us",
    "blogspot.com", "s3.amazonaws.com", "xn--p1ai", "xn--90a3ac", "intranet", "a.kobe.jp",
    "b.compute.estate", "0.bg", "zw", "co.zw.", "localhost", "jp",
  ])
  func `a domain below which sites are registered is a public suffix`(domain: String) {
    #expect(PublicSuffix.contains(domain))
  }

  @Test(arguments: [
    "example.com", "a.co.uk", "www.ck", "kawasaki.jp.", "a.zw.", "city.kobe.jp", "a.city.kobe.jp",
    "kobe.jp", "b.a.ck",
    "a.github.io", "a.intranet", "127.0.0.1", "1", "::1", "0x7f", "", ".", "a.com.", "zzzz.zw",
    "amazonaws.com", "a.b.c.d.e.f.g.h",
  ])
  func `a site is none`(domain: String) {
    #expect(!PublicSuffix.contains(domain))
  }

  @Test(arguments: ["aem.live", "ai.studio", "alibabacloudcs.com", "a.appwrite.run"])
  func `a suffix that came after 2023 is known`(domain: String) {
    #expect(PublicSuffix.contains(domain))
  }

  @Test func `every name of the list is found`() throws {
    let names = "\(PublicSuffixTable.text)".split { $0 == " " || $0 == "\n" }
    #expect(names.count > 10_000)
    #expect(names.map { Array($0.utf8.filter { $0 > 0x2B }) }.isSorted)
    #expect(names.filter { !Self.isFound($0) } == [])
  }

  private static func isFound(_ name: Substring) -> Bool {
    let bare = String(name.filter { !"*+!".contains($0) })
    return switch name.last {
    case "!": !PublicSuffix.contains(bare)
    case "*": PublicSuffix.contains("any." + bare)
    case "+": PublicSuffix.contains(bare) && PublicSuffix.contains("any." + bare)
    default: PublicSuffix.contains(bare)
    }
  }
}

extension [[UInt8]] {
  fileprivate var isSorted: Bool {
    zip(self, dropFirst()).allSatisfy { $0.lexicographicallyPrecedes($1) }
  }
}
