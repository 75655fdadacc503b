/// Whose a file is, and who may read, write and execute it.
struct FileAccess: Equatable, Sendable {
  /// The number of the user who owns it.
  var owner: UInt32
  /// The number of its group.
  var group: UInt32
  /// The nine bits for the owner, the group and everybody else.
  var mode: UInt32

  /// The mode of a file that takes the place of this one.
  ///
  /// In a group of its own the file permits that group no more than everybody else, so that the members of
  /// another group gain nothing.
  ///
  /// - Parameter group: The group that the new file belongs to.
  /// - Returns: The mode.
  func mode(in group: UInt32) -> UInt32 {
    guard group != self.group else { return mode }
    let everybody = mode & 0o007
    return mode & (0o707 | everybody << 3)
  }
}
