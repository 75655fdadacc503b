import SystemPackage
import Testing

@testable import MartletCore

/// Which permissions a file gets that takes the place of another.
struct FileAccessTests {
  private func access(_ mode: CInterop.Mode) -> FileAccess {
    FileAccess(owner: 1, group: 2, permissions: FilePermissions(rawValue: mode))
  }

  @Test(arguments: [0o600, 0o640, 0o664, 0o777, 0o444, 0o604] as [CInterop.Mode])
  func `in the same group they are the same`(mode: CInterop.Mode) {
    #expect(access(mode).permissions(in: 2).rawValue == mode)
  }

  @Test(
    arguments: [
      (0o600, 0o600), (0o640, 0o600), (0o664, 0o644), (0o660, 0o600), (0o604, 0o604),
      (0o775, 0o755),
      (0o777, 0o777), (0o070, 0o000),
    ] as [(CInterop.Mode, CInterop.Mode)])
  func `another group may do no more than all others`(mode: CInterop.Mode, changed: CInterop.Mode) {
    #expect(access(mode).permissions(in: 3).rawValue == changed)
  }
}
