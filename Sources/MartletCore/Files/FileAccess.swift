package import SystemPackage

/// The owner, the group and the permissions of a file.
struct FileAccess: Equatable, Sendable {
  /// The number of the owner.
  var owner: CInterop.UserID
  /// The number of the group.
  var group: CInterop.GroupID
  /// The nine permission bits for the owner, the group and all others.
  var permissions: FilePermissions

  /// Returns the permissions of a file that replaces this one.
  ///
  /// If the new file belongs to another group, a permission of the group is kept only if all others have it, too. So the
  /// members of the new group gain no access.
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
  /// The owner, the group and the permissions of the file.
  var access: FileAccess {
    FileAccess(
      owner: userID.rawValue, group: groupID.rawValue,
      permissions: FilePermissions(rawValue: permissions.rawValue & 0o777))
  }

  /// Whether both describe the same file, even under different names.
  package func isSameFile(as other: Stat) -> Bool {
    inode == other.inode && deviceID == other.deviceID
  }
}
