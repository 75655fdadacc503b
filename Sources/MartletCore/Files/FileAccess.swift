package import SystemPackage

/// Which user and group a file belongs to, and who may read, write and execute it.
struct FileAccess: Equatable, Sendable {
  /// The number of the user who owns it.
  var owner: CInterop.UserID
  /// The number of its group.
  var group: CInterop.GroupID
  /// The nine bits for the owner, the group and all others.
  var permissions: FilePermissions

  /// The permissions of a file that takes the place of this one.
  ///
  /// In a group of its own the file permits that group no more than all others, so that the members of
  /// another group gain nothing.
  ///
  /// - Parameter group: The group that the new file belongs to.
  /// - Returns: Its permissions.
  func permissions(in group: CInterop.GroupID) -> FilePermissions {
    guard group != self.group else { return permissions }
    let others = permissions.rawValue & 0o007
    return FilePermissions(rawValue: permissions.rawValue & (0o707 | others << 3))
  }
}

extension Stat {
  /// Who may use the file, and how.
  var access: FileAccess {
    FileAccess(
      owner: userID.rawValue, group: groupID.rawValue,
      permissions: FilePermissions(rawValue: permissions.rawValue & 0o777))
  }

  /// Whether both are of one file, under whatever names.
  package func isSameFile(as other: Stat) -> Bool {
    inode == other.inode && deviceID == other.deviceID
  }
}
