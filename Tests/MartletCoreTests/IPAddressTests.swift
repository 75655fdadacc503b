import Foundation
import MartletCore
import Testing

/// Which addresses are those of the internet.
struct IPAddressTests {
  @Test(arguments: [
    "1.1.1.1", "8.8.8.8", "172.15.0.1", "172.32.0.1", "100.63.0.1", "100.128.0.1",
    "169.253.1.1", "192.0.1.1", "198.20.0.1", "223.255.255.255", "2606:4700::1111",
    "2a00:1450::1", "2001:4860::8888", "64:ff9b::808:808", "2002:808:808::1",
    "::ffff:8.8.8.8",
  ])
  func `addresses of the internet are public`(text: String) throws {
    #expect(try address(text).isPublic)
  }

  @Test(arguments: [
    "0.0.0.0", "0.1.2.3", "10.0.0.1", "100.64.0.1", "100.127.255.255", "127.0.0.1",
    "127.255.255.255", "169.254.169.254", "172.16.0.1", "172.31.255.255", "192.0.0.1",
    "192.0.2.1", "192.88.99.1", "192.168.1.1", "198.18.0.1", "198.19.255.255", "198.51.100.1",
    "203.0.113.1", "224.0.0.1", "240.0.0.1", "255.255.255.255", "::", "::1", "fe80::1",
    "fc00::1", "fd12::1", "ff02::1", "2001:db8::1", "2001::1", "2001:1ff::1", "3fff:fff::1",
    "::ffff:127.0.0.1", "::ffff:10.0.0.1", "64:ff9b::a00:1", "2002:7f00:1::1", "::7f00:1",
    "100::1", "5f00::1",
  ])
  func `addresses set apart or reserved are not`(text: String) throws {
    #expect(try !address(text).isPublic)
  }

  @Test func `an address has four bytes or sixteen`() {
    #expect(IPAddress(bytes: [1, 2, 3], port: 80) == nil)
    #expect(IPAddress(bytes: [], port: 80) == nil)
  }

  private func address(_ text: String) throws -> IPAddress {
    var four = in_addr()
    if inet_pton(AF_INET, text, &four) == 1 {
      return try #require(IPAddress(bytes: withUnsafeBytes(of: four, Array.init), port: 443))
    }
    var six = in6_addr()
    try #require(inet_pton(AF_INET6, text, &six) == 1)
    return try #require(IPAddress(bytes: withUnsafeBytes(of: six, Array.init), port: 443))
  }
}
