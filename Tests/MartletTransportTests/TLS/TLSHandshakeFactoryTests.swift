import MartletCore
import MartletTesting
import NIOSSL
import Testing

@testable import MartletTransport

/// What all TLS connections of an engine share.
struct TLSHandshakeFactoryTests {
  private let settings: TLSHandshakeFactory

  init() throws {
    var options = TLSOptions()
    options.roots = .certificates([try TemporaryAuthority().root])
    settings = try TLSHandshakeFactory(options, versions: .automatic)
  }

  @Test func `connections to one origin share a context, which is made once`() throws {
    let first = try settings.handshake(with: origin(443)).context
    #expect(try settings.handshake(with: origin(443)).context === first)
    #expect(try settings.handshake(with: origin(8443)).context !== first)
    #expect(try settings.handshake(with: origin(443)).context === first)
  }

  @Test func `contexts are kept for a limited number of origins`() throws {
    let first = try settings.handshake(with: origin(1)).context
    for port in 2...300 { _ = try settings.handshake(with: origin(port)) }
    #expect(try settings.handshake(with: origin(1)).context !== first)
  }

  @Test func `identities of a literal that is no pattern of hosts are an error`() throws {
    let client = try TemporaryAuthority().leaf(for: ["client"], purposes: [.client])
    var options = TLSOptions()
    options.clientIdentities["example.com:443"] = try ClientIdentity(
      pem: client.certificatesPEM + client.privateKeyPEM)
    #expect {
      try TLSHandshakeFactory(options, versions: .automatic)
    } throws: { error in
      (error as? MartletError)?.code == .invalidHostPattern
    }
  }

  private func origin(_ port: Int) -> Origin {
    Origin(isSecure: true, endpoint: .host("localhost", port: port))
  }
}
