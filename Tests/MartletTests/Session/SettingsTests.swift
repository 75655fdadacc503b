import Foundation
import HTTPTypes
import Martlet
import SpecificationCoverage
import Testing

/// What can be set on a manager while it is in use.
struct SettingsTests {
  private let api = HTTPSessionManager(baseURL: URL(string: "http://h/"))

  @Test(.covers("T-REQ-13", "REQ-H5"))
  func `a thousand tasks may set the same default header of a manager at once`() async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<1000 {
        group.addTask {
          try api.updateRequestSerializer {
            try $0.http.setValue("\(number)", forHTTPHeaderField: "X")
          }
        }
      }
      try await group.waitForAll()
    }
    let value = try #require(api.requestSerializer.http.value(forHTTPHeaderField: "X"))
    #expect(Int(value) != nil)
    #expect(api.requestSerializer.http.httpRequestHeaders.count == 3)
  }

  @Test(.covers("REQ-H5"))
  func `no change of many at once is lost`() async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<200 {
        group.addTask {
          try api.updateRequestSerializer {
            try $0.http.setValue("value", forHTTPHeaderField: "X-\(number)")
          }
        }
        group.addTask {
          api.updateResponseSerializer { $0.acceptableStatusCodes?.insert(1000 + number) }
        }
      }
      try await group.waitForAll()
    }
    let request = try api.request(.get, "x")
    for number in 0..<200 {
      #expect(request.headers[try HTTPField.Name(checking: "X-\(number)")] == "value")
    }
    #expect(api.responseSerializer.acceptableStatusCodes?.count == 300)
  }

  @Test func `a change that throws changes nothing`() {
    struct Refused: Error {}
    #expect(throws: Refused.self) {
      try api.updateRequestSerializer {
        $0 = JSONRequestSerializer()
        throw Refused()
      }
    }
    #expect(api.requestSerializer is HTTPRequestSerializer)
    #expect(throws: Refused.self) {
      try api.updateResponseSerializer {
        $0 = HTTPResponseSerializer()
        throw Refused()
      }
    }
    #expect(api.responseSerializer is JSONResponseSerializer)
  }

  @Test func `a plain assignment works as well`() throws {
    try api.requestSerializer.http.setValue("value", forHTTPHeaderField: "X")
    api.responseSerializer.acceptableStatusCodes = [418]
    #expect(api.requestSerializer.http.value(forHTTPHeaderField: "X") == "value")
    #expect(api.responseSerializer.http.acceptableStatusCodes == [418])
  }
}
