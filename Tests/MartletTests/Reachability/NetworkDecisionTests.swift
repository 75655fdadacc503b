import SpecificationCoverage
import Testing

@testable import Martlet
@testable import MartletEssentials

/// How packets would leave a machine whose network stands in a certain way.
@Suite(.covers("RCH-5"))
struct NetworkDecisionTests {
  private func name(_ snapshot: NetworkSnapshot, _ address: [UInt8] = .anywhere4) -> String? {
    snapshot.interface(towards: address)?.name
  }

  @Test func `a default route leads anywhere`() {
    #expect(name(.wired) == "eth0")
    #expect(name(.wired, [198, 51, 100, 7]) == "eth0")
    #expect(name(.wired, .anywhere6) == nil)
  }

  @Test func `without a default route there are only the neighbours`() {
    var snapshot = NetworkSnapshot.wired
    snapshot.routes.removeAll { $0.destination == .all4 }
    #expect(name(snapshot) == nil)
    #expect(name(snapshot, [198, 51, 100, 7]) == nil)
    #expect(name(snapshot, [192, 0, 2, 7]) == "eth0")
  }

  @Test func `a link that is down leads nowhere`() {
    var snapshot = NetworkSnapshot.wired
    snapshot.links[1].isRunning = false
    #expect(name(snapshot) == nil)
    #expect(name(snapshot, [192, 0, 2, 7]) == nil)
  }

  @Test func `a link without an address leads nowhere`() {
    var snapshot = NetworkSnapshot.wired
    snapshot.addresses.removeAll { $0.link == 2 }
    #expect(name(snapshot) == nil)
  }

  @Test func `an address of the loopback link serves links that have none`() {
    var snapshot = NetworkSnapshot.wired
    snapshot.addresses.removeAll { $0.link == 2 }
    snapshot.addresses.append(
      NetworkSnapshot.Address(link: 1, bytes: [192, 0, 2, 9], isRoutable: true))
    #expect(name(snapshot) == "eth0")
  }

  @Test func `an address that is known on its link only leads no further`() {
    var snapshot = NetworkSnapshot.offline
    let link = snapshot.link("eth0", .wired, addresses: [.six(0xFE, 0x80, last: 2)])
    snapshot.route(
      AddressBlock(.six(0xFE, 0x80, last: 0), 64), .unicast(through: [link]))
    snapshot.route(.all6, .unicast(through: [link]))
    #expect(name(snapshot, .anywhere6) == nil)
    #expect(name(snapshot, .six(0xFE, 0x80, last: 7)) == "eth0")
    snapshot.addresses.append(
      NetworkSnapshot.Address(
        link: link, bytes: .six(0x20, 0x01, 0x0D, 0xB8, last: 2), isRoutable: true))
    #expect(name(snapshot, .anywhere6) == "eth0")
  }

  @Test func `the route that says most about an address decides, though another would lead there`()
  {
    var snapshot = NetworkSnapshot.wired
    let modem = snapshot.link("wwan0", .cellular, isRunning: false, addresses: [[10, 0, 0, 2]])
    snapshot.route(AddressBlock([10, 0, 0, 0], 8), .unicast(through: [modem]))
    #expect(name(snapshot, [10, 9, 8, 7]) == nil)
    snapshot.links[2].isRunning = true
    #expect(name(snapshot, [10, 9, 8, 7]) == "wwan0")
    #expect(name(snapshot, [11, 9, 8, 7]) == "eth0")
  }

  @Test func `of several default routes the cheapest that works is taken`() {
    var snapshot = NetworkSnapshot.offline
    let modem = snapshot.link("wwan0", .cellular, addresses: [[10, 0, 0, 2]])
    let card = snapshot.link("wlan0", .wifi, addresses: [[192, 0, 2, 2]])
    snapshot.route(.all4, .unicast(through: [modem]), metric: 700)
    snapshot.route(.all4, .unicast(through: [card]), metric: 600)
    #expect(name(snapshot) == "wlan0")
    snapshot.links[2].isRunning = false
    #expect(name(snapshot) == "wwan0")
  }

  @Test func `a route over several links needs one that works`() {
    var snapshot = NetworkSnapshot.offline
    let one = snapshot.link("eth0", .wired, isRunning: false, addresses: [[192, 0, 2, 2]])
    let other = snapshot.link("eth1", .wired, addresses: [[198, 51, 100, 2]])
    snapshot.route(.all4, .unicast(through: [one, other]))
    #expect(name(snapshot) == "eth1")
  }

  @Test func `what is refused is not reachable`() {
    var snapshot = NetworkSnapshot.wired
    snapshot.route(AddressBlock([203, 0, 113, 0], 24), .unreachable)
    #expect(name(snapshot, [203, 0, 113, 7]) == nil)
    snapshot.route(.all4, .unreachable, metric: .max)
    #expect(name(snapshot) == "eth0")
  }

  @Test func `the machine reaches itself while its loopback link is up`() {
    var snapshot = NetworkSnapshot.offline
    #expect(name(snapshot, [127, 0, 0, 1]) == "lo")
    #expect(name(snapshot, .localhost6) == "lo")
    snapshot.route(AddressBlock([192, 0, 2, 2], 32), .local, in: .local)
    #expect(name(snapshot, [192, 0, 2, 2]) == "lo")
    snapshot.links[0].isRunning = false
    #expect(name(snapshot, [127, 0, 0, 1]) == nil)
  }

  @Test
  func `tables are asked in the kernel's order, and the first that knows the address decides`() {
    var snapshot = NetworkSnapshot.offline
    let card = snapshot.link("eth0", .wired, addresses: [[192, 0, 2, 2]])
    let tunnel = snapshot.link("wg0", .other, addresses: [[10, 0, 0, 2]])
    let table = RouteTable(number: 51820)
    snapshot.route(.all4, .unicast(through: [tunnel]), in: table)
    #expect(name(snapshot) == "wg0")
    snapshot.route(.all4, .unicast(through: [card]), in: .fallback)
    #expect(name(snapshot) == "eth0")
    snapshot.route(.all4, .unreachable)
    #expect(name(snapshot) == nil)
    snapshot.routes.removeLast()
    snapshot.route(.all4, .nextTable)
    #expect(name(snapshot) == "eth0")
  }

  @Test func `one of several addresses is enough, the first that there is a way to`() {
    let addresses: [[UInt8]] = [.six(0x20, 0x01, last: 7), [198, 51, 100, 7]]
    #expect(NetworkSnapshot.wired.interface(towardsAnyOf: addresses)?.name == "eth0")
    #expect(NetworkSnapshot.offline.interface(towardsAnyOf: addresses) == nil)
    #expect(NetworkSnapshot.wired.interface(towardsAnyOf: []) == nil)
  }

  @Test func `a prefix has whole bytes, parts of a byte, or nothing at all`() {
    let prefix = AddressBlock([172, 16, 0, 0], 12)
    #expect(prefix.covers([172, 16, 0, 1]) && prefix.covers([172, 31, 255, 255]))
    #expect(!prefix.covers([172, 32, 0, 0]) && !prefix.covers([173, 16, 0, 0]))
    #expect(
      AddressBlock.all4.covers([255, 255, 255, 255]) && !AddressBlock.all4.covers(.anywhere6))
    let one = AddressBlock([192, 0, 2, 2], 32)
    #expect(one.covers([192, 0, 2, 2]) && !one.covers([192, 0, 2, 3]))
  }
}
