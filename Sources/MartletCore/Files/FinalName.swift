package import EssentialFoundation
import NIOCore
package import SystemPackage

/// The name of a complete file, and the action if the name already exists.
package struct FinalName: Sendable {
  /// The action if the name already exists.
  package enum Conflict: Hashable, Sendable {
    /// An error is thrown.
    case fail
    /// A regular file that the user may write is replaced. The new file gets its mode, and its owner where the system
    /// allows that. Anything else is an error.
    case replace
    /// The file gets the next name that is free: `a-1.zip` in place of `a.zip`.
    case number
  }

  /// The largest number of names that are tried.
  private static let maximumNames = 10_000

  /// The requested name.
  package let url: URL
  private let conflict: Conflict

  package init(_ url: URL, ifTaken conflict: Conflict) {
    self.url = url
    self.conflict = conflict
  }

  package init(_ url: URL, replacesExisting: Bool) {
    self.init(url, ifTaken: replacesExisting ? .replace : .fail)
  }

  /// The location of the file. With `.replace`, a symbolic link is followed, so that the link is kept.
  package var resolvedURL: URL { conflict == .replace ? url.followingLinks : url }

  /// The permissions of the file until it has its name, before the process's umask is applied.
  ///
  /// If it replaces a file, only the owner has access, because the replaced file may be private.
  package var partialPermissions: FilePermissions {
    FilePermissions(rawValue: conflict == .replace && existing != nil ? 0o600 : 0o666)
  }

  /// The status of the file that has the name; `nil` if there is none. With `.replace`, symbolic links are followed,
  /// except links in a cycle.
  private var existing: Stat? {
    guard conflict == .replace else { return url.statusOfName }
    return (try? Stat(url.path)) ?? resolvedURL.statusOfName
  }

  /// Checks that the name can be used, before anything is written.
  ///
  /// - Throws: `MartletError` with code `.fileNotWritable`.
  package func check() throws(MartletError) {
    guard conflict != .number, let existing else { return }
    guard existing.type != .directory else { throw .notAFile(url) }
    guard conflict == .replace else { throw .fileExists(url) }
    guard existing.type == .regular else { throw .notReplaceable(url) }
    do {
      try FilePath(resolvedURL.path).checkWritable()
    } catch {
      throw .fileNotWritable(url, underlying: error)
    }
  }

  /// Gives the name to a file in the same file system, in one step.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - durability: Whether the name is on the disk at the end, where the file system supports that. The default is `.written`.
  /// - Returns: The name of the file.
  /// - Throws: `Errno`; `MartletError` with code `.fileNotWritable` when the name cannot be used.
  @discardableResult
  package func moveIntoPlace(from file: URL, _ durability: FileDurability = .written) throws -> URL
  {
    let location = try rename(file, durability)
    if durability == .onDisk { OpenFile.syncFolder(resolvedURL.deletingLastPathComponent()) }
    return location
  }

  private func rename(_ file: URL, _ durability: FileDurability) throws -> URL {
    switch conflict {
    case .replace:
      try replace(with: file, durability)
      return url
    case .fail:
      if try file.renamed(to: url) { return url }
    case .number:
      for number in 0..<Self.maximumNames {
        let name = url.numbered(number)
        if try file.renamed(to: name) { return name }
      }
    }
    try check()
    throw MartletError.fileExists(url)
  }

  private func replace(with file: URL, _ durability: FileDurability) throws {
    try check()
    guard !file.isHardLink(to: resolvedURL) else {
      try? FilePath(file.path).unlink()
      return
    }
    if let access = resolvedURL.statusOfName?.access {
      let file = try OpenFile(file, options: .noFollow, durability: durability)
      if try file.apply(access) { try file.finish() }
    }
    do {
      try FilePath(file.path).rename(to: FilePath(resolvedURL.path))
    } catch {
      try check()
      throw error
    }
  }
}

extension FinalName {
  /// Gives the name to a complete file, which may be in another file system.
  ///
  /// - Parameters:
  ///   - file: The file, whose bytes were all written. It is removed, unless this throws.
  ///   - durability: How far the file and its name are on their way to the disk at the end.
  /// - Returns: The location of the file.
  /// - Throws: `MartletError` with code `.fileNotWritable`.
  @concurrent
  package func moveOrCopy(from file: URL, _ durability: FileDurability) async throws(MartletError)
    -> URL
  {
    do {
      return try move(file, durability)
    } catch {
      throw error as? MartletError ?? .fileNotWritable(url, underlying: error)
    }
  }

  private func move(_ file: URL, _ durability: FileDurability) throws -> URL {
    do {
      return try moveIntoPlace(from: file, durability)
    } catch Errno.improperLink {
      return try copy(file, durability)
    }
  }

  /// Copies the file under a temporary name first, so that the final name appears only when the copy is complete.
  private func copy(_ file: URL, _ durability: FileDurability) throws -> URL {
    let partial = resolvedURL.newPartialURL
    defer { try? FilePath(partial.path).unlink() }
    let source = try OpenFile(reading: file)
    let copy = try OpenFile(
      partial, options: [.create, .exclusiveCreate], permissions: partialPermissions,
      durability: durability)
    while case let bytes = try source.read(upTo: 1 << 20), bytes.readableBytes > 0 {
      try copy.write(bytes)
    }
    try copy.finish()
    let location = try moveIntoPlace(from: partial, durability)
    try? FilePath(file.path).unlink()
    return location
  }
}
