import Foundation
import HTTPTypes
import Martlet
import MartletTesting
import SpecificationCoverage
import Testing

/// What can be set on a manager while it is in use.
@Suite(.timeLimit(.minutes(5)))
struct SettingsTests {
  private let api = HTTPSessionManager(baseURL: URL(string: "http://h/"))

  @Test func `what the configuring closure throws, the initialiser throws`() throws {
    #expect {
      try HTTPSessionManager { $0.proxies = .through(try Proxy("gopher://proxy.example.com")) }
    } throws: {
      ($0 as? MartletError)?.code == .invalidProxy
    }
    let api = try HTTPSessionManager { $0.proxies = .through(try Proxy("proxy.example.com")) }
    #expect(api.session.configuration.proxies.rules.count == 1)
  }

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
    #expect(api.requestSerializer.http.httpRequestHeaders.count == 4)
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
      #expect(request.headers[try HTTPField.Name(validating: "X-\(number)")] == "value")
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

  @Test(.covers("HTM-6"))
  func `a manager and its session have one response serializer`() async throws {
    let api = HTTPSessionManager(baseURL: URL(string: "http://h/")) {
      $0.responseSerializer = HTTPResponseSerializer(acceptableStatusCodes: [418])
      $0.completionQueue = .global()
      $0.transport = InProcessTransport { request in
        Response(head: ResponseHead(status: .init(code: 418)), url: request.url)
      }
    }
    #expect(api.session.responseSerializer.acceptableStatusCodes == [418])
    let request = try api.request(.get, "x")
    let error: MartletError? = await withCheckedContinuation { done in
      api.session.dataTask(with: request) { _, _, error in done.resume(returning: error) }.resume()
    }
    #expect(error == nil)
    api.session.responseSerializer = JSONResponseSerializer()
    #expect(api.responseSerializer is JSONResponseSerializer)
    api.updateResponseSerializer { $0.acceptableStatusCodes = [200] }
    #expect(api.session.responseSerializer.acceptableStatusCodes == [200])
    api.session.updateResponseSerializer { $0.acceptableStatusCodes = [201] }
    #expect(api.responseSerializer.acceptableStatusCodes == [201])
  }

  @Test(.covers("SES-C8"))
  func `a manager and its session have one completion queue`() {
    #expect(api.session.completionQueue == nil)
    let queue = DispatchQueue(label: "completions")
    api.completionQueue = queue
    #expect(api.session.completionQueue === queue)
    api.session.completionQueue = nil
    #expect(api.completionQueue == nil)
  }

  @Test func `a plain assignment works as well`() throws {
    try api.requestSerializer.http.setValue("value", forHTTPHeaderField: "X")
    api.responseSerializer.acceptableStatusCodes = [418]
    #expect(api.requestSerializer.http.value(forHTTPHeaderField: "X") == "value")
    #expect(api.responseSerializer.http.acceptableStatusCodes == [418])
  }
}
