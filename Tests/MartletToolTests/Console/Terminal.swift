#if os(Linux)
import EssentialFoundation
import Foundation
import Martlet
import Testing

@testable import MartletTool

/// A terminal of the test's own, and what has been written to it.
final class Terminal: Sendable {
  let output: OutputHandle
  private let near: Int32
  /// The end that programs write to.
  let far: Int32
  /// The path of that end.
  let path: String
  private let written = Locked("")

  init() throws {
    near = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_NONBLOCK)
    try #require(near >= 0)
    // TIOCSPTLCK lets the other end be opened, and TIOCGPTN says which it is.
    var (lock, number) = (Int32(0), Int32(0))
    let isOpen = ioctl(near, 0x4004_5431, &lock) == 0 && ioctl(near, 0x8004_5430, &number) == 0
    try #require(isOpen)
    path = "/dev/pts/\(number)"
    far = open(path, O_RDWR | O_NOCTTY)
    try #require(far >= 0)
    output = OutputHandle(descriptor: far)
    #expect(output.isTerminal)
  }

  deinit {
    close(near)
    close(far)
  }

  /// Everything so far.
  var text: String {
    written.withLock { written in
      var room = [UInt8](repeating: 0, count: 4096)
      while case let count = read(near, &room, 4096), count > 0 {
        written += String(decoding: room[..<count], as: UTF8.self)
      }
      return written
    }
  }

  /// Types a text.
  func enter(_ text: String) {
    let count = text.withCString { write(near, $0, strlen($0)) }
    #expect(count == text.utf8.count)
  }

  func shows(_ wanted: String) async throws {
    let deadline = ContinuousClock.now + .seconds(30)
    while !text.contains(wanted) {
      try #require(ContinuousClock.now < deadline, "it did not show within 30 s: \(text)")
      try await Task.sleep(for: .milliseconds(1))
    }
  }
}
#endif
