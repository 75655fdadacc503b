import MartletCore

#if canImport(FoundationNetworking)
import Foundation
import FoundationNetworking

/// The raw value of call signalling in Foundation on Linux.
private let numberOfCallSignaling: UInt = 5
#else
import Foundation

/// The raw value of call signalling in Foundation on Apple's systems.
private let numberOfCallSignaling: UInt = 11
#endif

// The raw values of Foundation's policies differ between Linux and Apple's systems, so they are matched by name.

extension URLRequest.CachePolicy {
  /// The policy of the same name.
  init(_ policy: Request.CachePolicy) {
    self =
      switch policy {
      case .useProtocolCachePolicy: .useProtocolCachePolicy
      case .reloadIgnoringLocalCacheData: .reloadIgnoringLocalCacheData
      case .returnCacheDataElseLoad: .returnCacheDataElseLoad
      case .returnCacheDataDontLoad: .returnCacheDataDontLoad
      case .reloadIgnoringLocalAndRemoteCacheData: .reloadIgnoringLocalAndRemoteCacheData
      case .reloadRevalidatingCacheData: .reloadRevalidatingCacheData
      }
  }
}

extension Request.CachePolicy {
  /// The policy of the same name; `nil` for a policy that is newer than this code.
  init?(_ policy: URLRequest.CachePolicy) {
    guard let same = Self.allCases.first(where: { URLRequest.CachePolicy($0) == policy }) else {
      return nil
    }
    self = same
  }
}

extension URLRequest.NetworkServiceType {
  /// The same type; `nil` for a type that this system's Foundation does not have.
  init?(_ type: Request.NetworkServiceType) {
    self.init(rawValue: type == .callSignaling ? numberOfCallSignaling : type.rawValue)
  }
}

extension Request.NetworkServiceType {
  /// The same type; `nil` for a type that is newer than this code.
  init?(_ type: URLRequest.NetworkServiceType) {
    let isSignaling = type.rawValue == numberOfCallSignaling
    self.init(rawValue: isSignaling ? Self.callSignaling.rawValue : type.rawValue)
  }
}

/// Access to the pipelining property of `URLRequest`. Foundation on Linux deprecates that property, but a protocol
/// requirement of the same name can use it.
private protocol Pipelining {
  var httpShouldUsePipelining: Bool { get set }
}

extension URLRequest: Pipelining {
  /// Whether the request may be sent before earlier responses have arrived.
  var usesPipelining: Bool {
    get { Self.pipelining(of: self) }
    set { Self.setPipelining(of: &self, newValue) }
  }

  private static func pipelining(of request: some Pipelining) -> Bool {
    request.httpShouldUsePipelining
  }

  private static func setPipelining(of request: inout some Pipelining, _ uses: Bool) {
    request.httpShouldUsePipelining = uses
  }
}
