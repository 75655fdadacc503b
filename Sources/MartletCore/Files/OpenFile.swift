package import Foundation
package import NIOCore

/// A file that is open for writing. It is closed with its last reference.
package final class OpenFile: Sendable {
  private let descriptor: CInt

  /// - Parameters:
  ///   - url: The file.
  ///   - flags: How it is opened, beside for writing.
  ///   - mode: What a new one permits, before the user's mask. The default is reading and writing for all.
  /// - Throws: What the system says.
  package init(_ url: URL, flags: CInt, mode: mode_t = 0o666) throws {
    descriptor = url.path.withCString { open($0, O_WRONLY | O_CLOEXEC | flags, mode) }
    guard descriptor >= 0 else { throw SystemFailure(number: errno) }
  }

  deinit {
    close(descriptor)
  }

  /// How many bytes the file has.
  package var size: Int64 {
    get throws {
      guard let status = FileStatus(descriptor: descriptor) else {
        throw SystemFailure(number: errno)
      }
      return status.size
    }
  }

  /// Cuts off what is behind `size` bytes, and goes on writing there.
  package func cut(to size: Int64) throws {
    guard ftruncate(descriptor, off_t(size)) == 0, lseek(descriptor, off_t(size), SEEK_SET) >= 0
    else { throw SystemFailure(number: errno) }
  }

  /// Gives the file the owner and the mode of the one that it replaces.
  ///
  /// Only a privileged process can give a file to another user; the group alone is kept where that is allowed.
  ///
  /// - Throws: What the system says when it refuses the mode.
  func take(_ access: FileAccess) throws {
    guard let own = FileStatus(descriptor: descriptor)?.access, own != access else { return }
    if own.owner != access.owner || own.group != access.group,
      fchown(descriptor, access.owner, access.group) != 0
    {
      fchown(descriptor, .max, access.group)
    }
    let group = FileStatus(descriptor: descriptor)?.access.group ?? own.group
    guard fchmod(descriptor, mode_t(access.mode(in: group))) == 0 else {
      throw SystemFailure(number: errno)
    }
  }

  /// Writes all bytes, without copying them first.
  package func write(_ bytes: ByteBuffer) throws {
    try bytes.withUnsafeReadableBytes { try write($0) }
  }

  private func write(_ bytes: UnsafeRawBufferPointer) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      let part = UnsafeRawBufferPointer(rebasing: rest)
      let count = Foundation.write(descriptor, part.baseAddress, part.count)
      if count < 0 {
        guard errno == EINTR else { throw SystemFailure(number: errno) }
        continue
      }
      rest = rest.dropFirst(count)
    }
  }

  /// Returns when the disk has what was written, as far as the file system lets one know.
  package func sync() throws {
    while fsync(descriptor) != 0 {
      // Pipes and the like have nothing to sync.
      guard errno == EINTR else {
        if errno == EINVAL || errno == EROFS { return }
        throw SystemFailure(number: errno)
      }
    }
  }

  /// Has the disk know which names a folder holds. Failures are ignored, because not all file systems support this.
  package static func syncFolder(_ folder: URL) {
    let descriptor = open(folder.path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    close(descriptor)
  }
}

extension OpenFile {
  /// Whether an open file is the one that has this name.
  package static func isStill(_ descriptor: CInt, at url: URL) -> Bool {
    guard let held = FileStatus(descriptor: descriptor), let named = FileStatus(path: url.path)
    else { return false }
    return held.identity == named.identity
  }
}

extension OpenFile {
  /// Puts a file in place of another in one step, once the disk has all of it. A new one is for its owner alone; one
  /// that is replaced keeps its mode and, where the system allows that, its owner.
  ///
  /// - Parameters:
  ///   - url: The file to replace, if it is there.
  ///   - data: What is written.
  ///   - new: Where it is written meanwhile, in the same folder.
  ///   - flags: How that is opened. The default makes a file, and takes none that is there.
  /// - Throws: What the system says.
  package static func replace(
    _ url: URL, with data: Data, through new: URL, flags: CInt = O_CREAT | O_EXCL
  ) throws {
    let file = try OpenFile(new, flags: flags | O_NOFOLLOW, mode: 0o600)
    try file.write(ByteBuffer(bytes: data))
    try file.sync()
    try FinalName(url, replacesExisting: true).take(from: new)
    syncFolder(url.deletingLastPathComponent())
  }
}
