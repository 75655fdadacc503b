import NIOCore
import Testing

@testable import MartletTransport

/// The order in which addresses are tried (RFC 8305 §4).
struct AddressOrderTests {
  @Test func `families alternate, beginning with the first`() throws {
    let found = try ["::1", "::2", "::3", "10.0.0.1"].map {
      try SocketAddress(ipAddress: $0, port: 1)
    }
    #expect(
      AddressOrder.interleaved(found).compactMap(\.ipAddress) == ["::1", "10.0.0.1", "::2", "::3"])
  }

  @Test func `one family keeps its order`() throws {
    let found = try ["10.0.0.2", "10.0.0.1"].map { try SocketAddress(ipAddress: $0, port: 1) }
    #expect(AddressOrder.interleaved(found) == found)
    #expect(AddressOrder.interleaved([]) == [])
  }

  @Test(arguments: [("127.0.0.1", true), ("::1", true), ("localhost", false), ("1.2.3", false)])
  func `an address is distinguished from a name`(host: String, isAddress: Bool) {
    #expect(HostAddress.isAddress(host) == isAddress)
  }
}
