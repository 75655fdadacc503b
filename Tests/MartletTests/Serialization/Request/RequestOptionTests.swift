import Foundation
import Martlet
import SpecificationCoverage
import Testing

struct RequestOptionTests {
  private func options(of serializer: HTTPRequestSerializer) throws -> Request.Options {
    try serializer.request(method: .get, urlString: "http://h/", parameters: nil).options
  }

  @Test(.covers("REQ-H10", "REQ-H14"))
  func `an option that was not set leaves the request's own`() throws {
    let serializer = HTTPRequestSerializer()
    #expect(try options(of: serializer) == Request.Options())
    #expect(serializer.timeoutInterval == nil)
    #expect(serializer.shouldHandleCookies == nil)
  }

  @Test(.covers("REQ-H9", "REQ-H10"))
  func `all six options are copied, even when they equal the default`() throws {
    var serializer = HTTPRequestSerializer()
    serializer.allowsCellularAccess = true
    serializer.cachePolicy = .useProtocolCachePolicy
    serializer.shouldHandleCookies = true
    serializer.shouldUsePipelining = false
    serializer.networkServiceType = .default
    serializer.timeoutInterval = .seconds(60)
    var expected = Request.Options()
    expected.allowsCellularAccess = true
    expected.cachePolicy = .useProtocolCachePolicy
    expected.shouldHandleCookies = true
    expected.shouldUsePipelining = false
    expected.networkServiceType = .default
    expected.timeoutInterval = .seconds(60)
    #expect(try options(of: serializer) == expected)
  }

  @Test(.covers("REQ-H11"))
  func `options are not copied to a request that was made elsewhere`() throws {
    var serializer = HTTPRequestSerializer()
    serializer.timeoutInterval = .seconds(7)
    let request = try serializer.serialize(Request(url: .example), parameters: nil)
    #expect(request.options.timeoutInterval == nil)
  }

  @Test(.covers("REQ-H12"))
  func `options are in place before the parameters are serialized`() throws {
    var serializer = HTTPRequestSerializer()
    serializer.timeoutInterval = .seconds(7)
    serializer.queryStringStyle = .custom { request, _ in
      request.options.timeoutInterval == .seconds(7) ? "early" : "late"
    }
    let request = try serializer.request(method: .get, urlString: "http://h/", parameters: [:])
    #expect(request.target == "/?early")
  }

  @Test(.covers("REQ-H13"))
  func `an option can be set back to nil`() throws {
    var serializer = HTTPRequestSerializer()
    serializer.timeoutInterval = .seconds(7)
    serializer.timeoutInterval = nil
    #expect(try options(of: serializer).timeoutInterval == nil)
  }
}
