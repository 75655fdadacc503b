import EssentialFoundation
import MartletEssentials
import MartletCore
import SystemPackage

/// The JSON file of `--session`, which several runs of the tool may share.
struct SessionFile {
  /// The path as given on the command line.
  private let path: String
  /// The file that symbolic links lead to, so that saving does not replace the links.
  private let url: URL

  init(path: String) {
    self.path = path
    url = URL(fileURLWithPath: path).resolvingSymlinksInPath()
  }

  /// The saved contents; empty if there is no file.
  ///
  /// - Throws: `ToolFailure` when the file cannot be read, or is not a session file of this version.
  func read() throws(ToolFailure) -> SessionContents {
    guard let status = try? Stat(FilePath(url.path)) else { return SessionContents() }
    // Reading a pipe or a device might never end.
    guard status.type == .regular else {
      throw ToolFailure("“\(path.masked)” is not a regular file: give --session another name.")
    }
    let contents: SessionContents
    do {
      contents = try JSONDecoder().decode(SessionContents.self, from: Data(contentsOf: url))
    } catch is DecodingError {
      throw ToolFailure(
        "“\(path.masked)” is not a martlet session: move it away, or give --session another name.")
    } catch {
      throw ToolFailure("“\(path.masked)” cannot be read: check its permissions.")
    }
    guard contents.martletSession == SessionContents.version else {
      throw ToolFailure(
        "“\(path.masked)” is a session of another version of martlet: use that version, or give --session another name."
      )
    }
    return contents
  }

  /// Replaces the file in one step, and merges changes of other runs. Only its owner can read a new file.
  ///
  /// - Parameters:
  ///   - contents: The contents to save.
  ///   - known: The contents of the file when it was read.
  /// - Throws: `ToolFailure` when it cannot be read or written, or another run has been writing it for ten seconds. An
  ///   existing file then stays unchanged.
  func save(_ contents: SessionContents, since known: SessionContents) throws(ToolFailure) {
    let lock = try lock()
    defer { withExtendedLifetime(lock) {} }
    let contents = contents.merged(with: try read(), since: known)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let new = url.newPartialURL
    defer { unlink(new.path) }
    do {
      try OpenFile.replace(
        url, with: encoder.encode(contents) + Data("\n".utf8), through: new)
    } catch {
      throw notWritable(error)
    }
  }

  /// Checks that the file can be written, by taking its lock file, which is in the same directory.
  ///
  /// - Throws: `ToolFailure` when it cannot be written.
  func checkWritable() throws(ToolFailure) {
    do {
      _ = try FileLock(url.appendingPathExtension("lock"), timeout: .zero)
    } catch is FileLock.AlreadyLocked {
      // Another run is writing the file at the moment.
    } catch {
      throw notWritable(error)
    }
  }

  private func lock() throws(ToolFailure) -> FileLock {
    do {
      return try FileLock(url.appendingPathExtension("lock"), timeout: .seconds(10))
    } catch is FileLock.AlreadyLocked {
      throw ToolFailure(
        "Another run of martlet has been writing “\(path.masked)” for ten seconds: try again when it is done, or give --session another name."
      )
    } catch {
      throw notWritable(error)
    }
  }

  private func notWritable(_ error: any Error) -> ToolFailure {
    ToolFailure(MartletError.fileNotWritable(path, underlying: error).message)
  }
}
