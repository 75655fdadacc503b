/// How far a complete file is on its way to the disk when it gets its name.
public enum FileDurability: Hashable, Sendable {
  /// All bytes were passed to the system, as curl and `cp` do it. The end of the process does not matter any more, but a loss
  /// of power in the next seconds does: the file may then be empty or incomplete, under its name.
  case written
  /// All bytes are on the disk, and the name, too, where the file system supports that. The caller waits for the disk. Writing to it
  /// begins while the bytes arrive.
  case onDisk
}
