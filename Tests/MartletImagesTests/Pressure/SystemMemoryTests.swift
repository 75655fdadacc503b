#if os(Linux)
import Foundation
import Martlet
import MartletTesting
import TestTiming
import Testing

@testable import MartletImages

@Suite(.timeLimit(.minutes(5)))
struct SystemMemoryTests {
  @Test func `the kernel is asked where it allows that`() {
    let memory = SystemMemory()
    let watch = memory.monitor {}
    #expect((watch != nil) == memory.isObservable)
    if watch == nil { print("skipped: this kernel does not let memory pressure be watched") }
  }

  @Test func `a trigger is set as the kernel wants it, and let go with the watch`() async throws {
    let path = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
    try #require(mkfifo(path, 0o600) == 0)
    defer { unlink(path) }
    let reader = try #require(Descriptor(open(path, O_RDONLY | O_NONBLOCK)))
    var watch = SystemMemory(files: [path]).monitor {}
    #expect(watch != nil)
    var bytes = [UInt8](repeating: 0, count: 100)
    let count = read(reader.number, &bytes, bytes.count)
    let text = String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self)
    #expect(text == "some 150000 2000000\0")
    #expect(read(reader.number, &bytes, bytes.count) == -1)
    watch = nil
    // The other end is closed: the thread is gone.
    try await eventually { read(reader.number, &bytes, bytes.count) == 0 }
  }

  @Test func `without a file for memory pressure there is nothing to watch`() {
    let memory = SystemMemory(files: ["/nowhere/memory.pressure", "/dev/full"])
    #expect(!memory.isObservable)
    #expect(memory.monitor {} == nil)
  }

  /// Data out of band makes a socket report what a trigger that was pulled does.
  private func pull(_ end: Descriptor) {
    #expect(send(end.number, "!", 1, Int32(MSG_OOB)) == 1)
  }

  @Test func `a trigger that is pulled is reported, until the other end hangs up`() async throws {
    let (near, far) = try #require(Descriptor.makePair())
    let (trigger, finger) = try #require(Descriptor.makePair())
    let reports = AwaitableValue(0)
    let isOver = AwaitableValue(false)
    Thread.detachNewThread {
      var watch = PressureTriggerLoop(triggers: [trigger], end: near)
      watch.run { reports.update { $0 += 1 } }
      isOver.update { $0 = true }
    }
    pull(finger)
    try await reports.wait { $0 > 0 }
    #expect(!isOver.current)
    far.shutDown()
    try await isOver.wait { $0 }
  }

  @Test func `a watch without triggers ends`() async throws {
    let (near, far) = try #require(Descriptor.makePair())
    var watch = PressureTriggerLoop(triggers: [], end: near)
    watch.run { Issue.record("a report of nobody") }
    far.shutDown()
  }

  @Test(arguments: [
    ("0::/", "/sys/fs/cgroup"), ("12:cpu:/a\n0::/user.slice/b", "/sys/fs/cgroup/user.slice/b"),
  ])
  func `the control group is the one of version 2`(groups: String, folder: String) {
    #expect(ControlGroup.folder(in: groups) == folder)
  }

  @Test func `without version 2 there is no control group`() {
    #expect(ControlGroup.folder(in: "4:memory:/a\n1:cpu:/") == nil)
  }
}
#endif
