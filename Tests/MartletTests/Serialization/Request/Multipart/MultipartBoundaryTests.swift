import Foundation
import NIOCore
import SpecificationCoverage
import Testing

@testable import Martlet
@testable import MartletEssentials

/// What stands between the parts.
struct MultipartBoundaryTests {
  private struct Counter: RandomNumberGenerator {
    var count: UInt64 = 0

    mutating func next() -> UInt64 {
      defer { count &+= 1 }
      return count
    }
  }

  private func boundary(avoiding text: String...) -> String {
    var counter = Counter()
    return MultipartBoundary(notIn: text.map { .text($0) }, using: &counter).text
  }

  @Test(.covers("REQ-M3"))
  func `it has sixteen digits, whatever the number`() {
    #expect(boundary() == "Boundary+0000000000000000")
    var counter = Counter(count: .max)
    #expect(MultipartBoundary(notIn: [], using: &counter).text == "Boundary+FFFFFFFFFFFFFFFF")
  }

  @Test func `one that a content holds is not taken`() {
    #expect(boundary(avoiding: "Boundary+0000000000000001") == "Boundary+0000000000000000")
    #expect(boundary(avoiding: "BBoundary+0000000000000000") == "Boundary+0000000000000001")
    #expect(
      boundary(
        avoiding: "x", "--Boundary+0000000000000000--\nBoundary+0000000000000002",
        "Boundary+0000000000000001") == "Boundary+0000000000000003")
    #expect(boundary(avoiding: "Boundary+000000000000000") == "Boundary+0000000000000000")
  }

  @Test(.covers("REQ-M3"))
  func `two forms have two boundaries`() {
    let form = MultipartFormData()
    #expect(form.encoded().contentType != form.encoded().contentType)
  }
}
