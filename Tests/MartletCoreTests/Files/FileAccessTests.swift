import Testing

@testable import MartletCore

/// Which mode a file gets that takes the place of another.
struct FileAccessTests {
  @Test(arguments: [0o600, 0o640, 0o664, 0o777, 0o444, 0o604] as [UInt32])
  func `in the same group it is the same`(mode: UInt32) {
    #expect(FileAccess(owner: 1, group: 2, mode: mode).mode(in: 2) == mode)
  }

  @Test(
    arguments: [
      (0o600, 0o600), (0o640, 0o600), (0o664, 0o644), (0o660, 0o600), (0o604, 0o604),
      (0o775, 0o755),
      (0o777, 0o777), (0o070, 0o000),
    ] as [(UInt32, UInt32)])
  func `another group may do no more than everybody`(mode: UInt32, changed: UInt32) {
    #expect(FileAccess(owner: 1, group: 2, mode: mode).mode(in: 3) == changed)
  }
}
