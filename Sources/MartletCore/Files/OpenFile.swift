package import EssentialFoundation
package import NIOCore
package import SystemPackage
import Synchronization

/// A file that is open for writing or for reading. It is closed when the last reference is released.
package final class OpenFile: Sendable {
  /// After how many bytes of a durable file the system begins to write them to the disk.
  private static let writebackSize = 8 << 20

  private let descriptor: SystemPackage.FileDescriptor
  private let durability: FileDurability
  /// The bytes since the system last began to write.
  private let unsentSize = Atomic(0)
  private let isClosed = Atomic(false)

  /// Opens a file for writing.
  ///
  /// - Parameters:
  ///   - url: The file.
  ///   - options: Further options.
  ///   - permissions: The permissions of a new file, before the process's umask is applied. The default is reading and
  ///     writing for all.
  ///   - durability: How far the bytes are on their way to the disk after `finish()`. The default is `.written`.
  /// - Throws: `Errno`.
  package init(
    _ url: URL, options: SystemPackage.FileDescriptor.OpenOptions,
    permissions: FilePermissions = FilePermissions(rawValue: 0o666),
    durability: FileDurability = .written
  ) throws {
    self.durability = durability
    descriptor = try SystemPackage.FileDescriptor.open(
      FilePath(url.path), .writeOnly, options: options.union(.closeOnExec),
      permissions: permissions)
  }

  /// Opens a file for reading from its beginning.
  ///
  /// - Throws: `Errno`.
  package init(reading url: URL) throws {
    durability = .written
    descriptor = try SystemPackage.FileDescriptor.open(
      FilePath(url.path), .readOnly, options: .closeOnExec)
  }

  deinit {
    if !isClosed.load(ordering: .relaxed) { try? descriptor.close() }
  }

  /// The number of bytes in the file.
  package var size: Int64 {
    get throws { try descriptor.stat().size }
  }

  /// Changes the size of the file to `size` bytes, and continues writing at its end.
  package func truncate(to size: Int64) throws {
    try descriptor.resize(to: size)
    try descriptor.seek(offset: size, from: .start)
  }

  /// Gives the file the owner and the permissions of the file that it replaces.
  ///
  /// Only a privileged process can change the owner. Otherwise only the group is changed, where that is allowed.
  ///
  /// - Returns: Whether it had others.
  /// - Throws: `Errno` when the system refuses the permissions.
  func apply(_ access: FileAccess) throws -> Bool {
    guard let own = try? descriptor.stat().access, own != access else { return false }
    if own.owner != access.owner || own.group != access.group {
      do {
        try descriptor.setOwner(access.owner, group: access.group)
      } catch {
        try? descriptor.setOwner(.max, group: access.group)
      }
    }
    let group = (try? descriptor.stat().access.group) ?? own.group
    try descriptor.setPermissions(access.permissions(in: group))
    return true
  }

  /// Writes all bytes, without copying them first.
  package func write(_ bytes: ByteBuffer) throws {
    assert(!isClosed.load(ordering: .relaxed), "The file has been finished.")
    _ = try bytes.withUnsafeReadableBytes { try descriptor.writeAll($0) }
    if durability == .onDisk { startWriting(bytes.readableBytes) }
  }

  /// Lets the system begin to write to the disk, so that little is left to wait for at the end.
  private func startWriting(_ count: Int) {
    guard unsentSize.add(count, ordering: .relaxed).newValue >= Self.writebackSize else { return }
    unsentSize.store(0, ordering: .relaxed)
    descriptor.startWriteback()
  }

  /// Ends the writing, as the durability of the file requires, and closes the file. Nothing can be written after that.
  ///
  /// - Throws: `Errno` when the bytes cannot be stored, which some file systems report only now.
  package func finish() throws {
    if durability == .onDisk { try sync() }
    guard !isClosed.exchange(true, ordering: .relaxed) else { return }
    do {
      try descriptor.close()
    } catch .interrupted {
      // The file is closed nevertheless.
    }
  }

  /// Reads the next bytes of a file that is open for reading, or the bytes at an offset.
  ///
  /// - Parameters:
  ///   - count: The most bytes to read. The default is 256 KiB.
  ///   - offset: The offset of the first byte. The default, `nil`, continues after the last read.
  /// - Returns: The bytes; empty at the end of the file.
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

  /// Returns when all written bytes are on the disk, as far as the file system supports that.
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

  /// Writes the names in a folder to the disk. Errors are ignored, because not all file systems support this.
  static func syncFolder(_ folder: URL) {
    guard
      let descriptor = try? SystemPackage.FileDescriptor.open(
        FilePath(folder.path), .readOnly, options: .closeOnExec)
    else { return }
    try? descriptor.sync()
    try? descriptor.close()
  }
}

extension OpenFile {
  /// Replaces the contents of a file in one step, after all bytes are on the disk.
  ///
  /// If the file does not exist, it is created, and only its owner has access. An existing file keeps its permissions
  /// and, where the system allows that, its owner.
  ///
  /// - Parameters:
  ///   - url: The file to replace or create.
  ///   - data: The new contents.
  ///   - new: A temporary file in the same folder.
  ///   - options: The options to open the temporary file. The default creates it, and fails if it exists.
  /// - Throws: `Errno`; `MartletError` with code `.fileNotWritable` when the file cannot be replaced.
  package static func replace(
    _ url: URL, with data: Data, through new: URL,
    options: SystemPackage.FileDescriptor.OpenOptions = [.create, .exclusiveCreate]
  ) throws {
    let file = try OpenFile(
      new, options: options.union(.noFollow), permissions: .ownerReadWrite)
    try file.write(ByteBuffer(bytes: data))
    try file.sync()
    try FinalName(url, replacesExisting: true).moveIntoPlace(from: new, .onDisk)
  }
}
