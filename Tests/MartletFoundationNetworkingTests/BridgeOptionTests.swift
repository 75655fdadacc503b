#if canImport(FoundationNetworking)
import Foundation
import FoundationNetworking
import HTTPTypes
import MartletCore
import MartletFoundationNetworking
import Testing

/// What can be said about a request beside its message, on its way to Foundation and back. The names and the
/// defaults are those of Foundation on Linux.
struct BridgeOptionTests {
  private func bridged(_ change: (inout Request.Options) -> Void) throws -> URLRequest {
    var request = try Request(.get, "http://h/")
    change(&request.options)
    return try URLRequest(request)
  }

  @Test(
    arguments: [
      (.useProtocolCachePolicy, .useProtocolCachePolicy),
      (.reloadIgnoringLocalCacheData, .reloadIgnoringLocalCacheData),
      (.returnCacheDataElseLoad, .returnCacheDataElseLoad),
      (.returnCacheDataDontLoad, .returnCacheDataDontLoad),
      (.reloadIgnoringLocalAndRemoteCacheData, .reloadIgnoringLocalAndRemoteCacheData),
      (.reloadRevalidatingCacheData, .reloadRevalidatingCacheData),
    ] as [(Request.CachePolicy, URLRequest.CachePolicy)])
  func `each cache policy is the one of the same name, whatever its number, both ways`(
    policy: Request.CachePolicy, same: URLRequest.CachePolicy
  ) throws {
    let foundation = try bridged { $0.cachePolicy = policy }
    #expect(foundation.cachePolicy == same)
    let expected = policy == .useProtocolCachePolicy ? nil : policy
    #expect(try Request(foundation).options.cachePolicy == expected)
  }

  @Test(
    arguments: [
      (.default, .default), (.voip, .voip), (.video, .video), (.background, .background),
      (.voice, .voice), (.callSignaling, .networkServiceTypeCallSignaling),
    ] as [(Request.NetworkServiceType, URLRequest.NetworkServiceType)])
  func `each service type that Foundation has is kept, both ways`(
    type: Request.NetworkServiceType, same: URLRequest.NetworkServiceType
  ) throws {
    let foundation = try bridged { $0.networkServiceType = type }
    #expect(foundation.networkServiceType == same)
    let expected = type == .default ? nil : type
    #expect(try Request(foundation).options.networkServiceType == expected)
  }

  @Test(arguments: [.responsiveData, .avStreaming, .responsiveAV] as [Request.NetworkServiceType])
  func `a service type that Foundation does not have leaves the default`(
    type: Request.NetworkServiceType
  ) throws {
    #expect(try bridged { $0.networkServiceType = type }.networkServiceType == .default)
  }

  @Test func `whether to pipeline is kept, both ways`() throws {
    #expect(try bridged { $0.shouldUsePipelining = true }.pipelines)
    let foundation = try bridged { $0.shouldUsePipelining = false }
    #expect(!foundation.pipelines)
    #expect(try Request(foundation).options.shouldUsePipelining == false)
  }

  @Test func `the six options of a serializer come back as they went`() throws {
    var options = Request.Options()
    options.allowsCellularAccess = false
    options.cachePolicy = .reloadRevalidatingCacheData
    options.shouldHandleCookies = false
    options.shouldUsePipelining = false
    options.networkServiceType = .voice
    options.timeoutInterval = .seconds(7)
    #expect(try Request(bridged { $0 = options }).options == options)
  }
}

/// The property is deprecated, and the requirement of the same name is not.
private protocol Pipelining {
  var httpShouldUsePipelining: Bool { get }
}

extension URLRequest: Pipelining {
  fileprivate var pipelines: Bool { Self.pipelining(of: self) }

  private static func pipelining(of request: some Pipelining) -> Bool {
    request.httpShouldUsePipelining
  }
}
#endif
