package import EssentialFoundation
package import NIOCore
package import SystemPackage

/// A file that is open for writing, or for reading. It is closed with its last reference.
package final class OpenFile: Sendable {
  private let descriptor: SystemPackage.FileDescriptor

  /// - Parameters:
  ///   - url: The file.
  ///   - options: How it is opened, beside for writing.
  ///   - permissions: What a new one permits, before the user's mask. The default is reading and writing for all.
  /// - Throws: `Errno`.
  package init(
    _ url: URL, options: SystemPackage.FileDescriptor.OpenOptions,
    permissions: FilePermissions = FilePermissions(rawValue: 0o666)
  ) throws {
    descriptor = try SystemPackage.FileDescriptor.open(
      FilePath(url.path), .writeOnly, options: options.union(.closeOnExec),
      permissions: permissions)
  }

  /// A file to read from its beginning.
  ///
  /// - Throws: `Errno`.
  package init(reading url: URL) throws {
    descriptor = try SystemPackage.FileDescriptor.open(
      FilePath(url.path), .readOnly, options: .closeOnExec)
  }

  deinit {
    try? descriptor.close()
  }

  /// How many bytes the file has.
  package var size: Int64 {
    get throws { try descriptor.stat().size }
  }

  /// Cuts off what is behind `size` bytes, and goes on writing there.
  package func truncate(to size: Int64) throws {
    try descriptor.resize(to: size)
    try descriptor.seek(offset: size, from: .start)
  }

  /// Gives the file the owner and the permissions of the one that it replaces.
  ///
  /// Only a privileged process can give a file to another user; the group alone is kept where that is allowed.
  ///
  /// - Throws: `Errno` when the system refuses the permissions.
  func apply(_ access: FileAccess) throws {
    guard let own = try? descriptor.stat().access, own != access else { return }
    if own.owner != access.owner || own.group != access.group {
      do {
        try descriptor.setOwner(access.owner, group: access.group)
      } catch {
        try? descriptor.setOwner(.max, group: access.group)
      }
    }
    let group = (try? descriptor.stat().access.group) ?? own.group
    try descriptor.setPermissions(access.permissions(in: group))
  }

  /// Writes all bytes, without copying them first.
  package func write(_ bytes: ByteBuffer) throws {
    _ = try bytes.withUnsafeReadableBytes { try descriptor.writeAll($0) }
  }

  /// The next bytes of a file that is open for reading, or those at a place; none at its end.
  ///
  /// - Parameters:
  ///   - count: The most bytes. The default is 256 KiB.
  ///   - offset: Where they begin. The default, `nil`, is behind those that were read last.
  /// - Returns: The bytes.
  /// - Throws: `Errno`.
  package func read(upTo count: Int = 256 << 10, at offset: Int64? = nil) throws -> ByteBuffer {
    var bytes = ByteBufferAllocator().buffer(capacity: count)
    try bytes.writeWithUnsafeMutableBytes(minimumWritableBytes: count) { target in
      let target = UnsafeMutableRawBufferPointer(rebasing: target[..<count])
      guard let offset else { return try descriptor.read(into: target) }
      return try descriptor.read(fromAbsoluteOffset: offset, into: target)
    }
    return bytes
  }

  /// Returns when the disk has what was written, as far as the file system supports that.
  package func sync() throws {
    while true {
      do {
        return try descriptor.sync()
      } catch .interrupted {
        continue
      } catch .invalidArgument, .readOnlyFileSystem {
        return  // Pipes and the like have nothing to sync.
      }
    }
  }

  /// Has the disk know which names a folder holds. Failures are ignored, because not all file systems support this.
  package static func syncFolder(_ folder: URL) {
    guard
      let descriptor = try? SystemPackage.FileDescriptor.open(
        FilePath(folder.path), .readOnly, options: .closeOnExec)
    else { return }
    try? descriptor.sync()
    try? descriptor.close()
  }
}

extension OpenFile {
  /// Puts a file in place of another in one step, once the disk has all of it. A new one is for its owner alone; one
  /// that is replaced keeps its permissions and, where the system allows that, its owner.
  ///
  /// - Parameters:
  ///   - url: The file to replace, if it is there.
  ///   - data: What is written.
  ///   - new: Where it is written meanwhile, in the same folder.
  ///   - options: How that is opened. The default makes a file, and takes none that is there.
  /// - Throws: `Errno`.
  package static func replace(
    _ url: URL, with data: Data, through new: URL,
    options: SystemPackage.FileDescriptor.OpenOptions = [.create, .exclusiveCreate]
  ) throws {
    let file = try OpenFile(
      new, options: options.union(.noFollow), permissions: .ownerReadWrite)
    try file.write(ByteBuffer(bytes: data))
    try file.sync()
    try FinalName(url, replacesExisting: true).moveIntoPlace(from: new)
    syncFolder(url.deletingLastPathComponent())
  }
}
