import CMartletFile

/// What the system knows of a file, for the price of one system call.
package struct FileStatus: Sendable {
  /// Which file this is, under all of its names.
  package let identity: Identity
  /// How many bytes it has.
  package let size: Int64
  /// How many names it has.
  package let names: UInt64
  /// Whether it holds bytes, as folders and pipes do not.
  package let isRegular: Bool
  /// Whether it is a folder.
  package let isFolder: Bool
  /// Whose it is, and who may do what with it.
  let access: FileAccess
  /// When it was last written to.
  package let written: Moment

  /// The file system, and the number that a file has there.
  package struct Identity: Hashable, Sendable {
    fileprivate let device: UInt64
    fileprivate let number: UInt64
  }

  /// A moment, as file systems count time.
  package struct Moment: Hashable, Sendable {
    fileprivate let seconds: Int64
    fileprivate let nanoseconds: Int64
  }

  /// Of what a path leads to; `nil` when there is nothing, and `errno` says why.
  package init?(path: String) {
    var status = martlet_file_status()
    guard martlet_file_status_of_path(path, &status) else { return nil }
    self.init(status)
  }

  /// Of what a path names, be it a symbolic link; `nil` when there is nothing, and `errno` says why.
  package init?(name path: String) {
    var status = martlet_file_status()
    guard martlet_file_status_of_name(path, &status) else { return nil }
    self.init(status)
  }

  /// Of an open file; `nil` when nothing is open under this number, and `errno` says why.
  package init?(descriptor: CInt) {
    var status = martlet_file_status()
    guard martlet_file_status_of_descriptor(descriptor, &status) else { return nil }
    self.init(status)
  }

  private init(_ status: martlet_file_status) {
    identity = Identity(device: status.device, number: status.number)
    size = status.size
    names = status.names
    isRegular = status.is_regular
    isFolder = status.is_folder
    access = FileAccess(owner: status.owner, group: status.group, mode: status.mode)
    written = Moment(seconds: status.seconds, nanoseconds: status.nanoseconds)
  }
}
