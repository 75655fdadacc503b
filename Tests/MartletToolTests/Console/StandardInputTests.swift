import EssentialFoundation
import Foundation
import Martlet
import NIOCore
import Testing

@testable import MartletTool

#if os(Linux)
/// Standard input that fails.
@Suite(.timeLimit(.minutes(5)))
struct StandardInputTests {
  /// A socket from which `size` bytes can be read, and then nothing but an error: its other end was closed with a byte
  /// that was not read.
  private func breaking(after size: Int) throws -> Int32 {
    var ends: [Int32] = [0, 0]
    try #require(socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0, &ends) == 0)
    let (near, far) = (ends[0], ends[1])
    try #require(write(near, "x", 1) == 1)
    Thread.detachNewThread {
      var rest = [UInt8](repeating: 0x61, count: size)[...]
      while !rest.isEmpty {
        let count = rest.withUnsafeBytes { write(far, $0.baseAddress, $0.count) }
        guard count > 0 else { break }
        rest = rest.dropFirst(count)
      }
      close(far)
    }
    return near
  }

  private static let failure = ToolFailure(
    "Standard input cannot be read: Connection reset by peer.")

  @Test func `an input that breaks off at the start is no body`() throws {
    let descriptor = try breaking(after: 100_000)
    defer { close(descriptor) }
    #expect(throws: Self.failure) {
      try StandardInput(descriptor, isIgnored: false, hasBody: false)
    }
  }

  @Test func `an input that is not needed may be one that cannot be read`() throws {
    let folder = open("/", O_RDONLY | O_CLOEXEC)
    defer { close(folder) }
    let input = try StandardInput(folder, isIgnored: false, hasBody: true)
    #expect(input.input == .empty && input.body == nil)
  }

  @Test func `an input that breaks off while it is sent breaks the body off`() async throws {
    let descriptor = try breaking(after: 3 << 20)
    defer { close(descriptor) }
    let input = try StandardInput(descriptor, isIgnored: false, hasBody: false)
    guard case .producer(let produce)? = input.body?.source else {
      Issue.record("The body is read while it is sent.")
      return
    }
    let count = Locked(0)
    await #expect(throws: Self.failure) {
      try await produce { chunk in count.withLock { $0 += chunk.readableBytes } }
    }
    #expect(count.current == 3 << 20)
  }
}
#endif
