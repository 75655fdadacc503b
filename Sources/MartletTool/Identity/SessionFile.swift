import EssentialFoundation
import MartletEssentials
import MartletCore
import SystemPackage

/// Where `--session` keeps what it keeps: a file of JSON, which several runs may share.
struct SessionFile {
  /// As the command line has it.
  private let path: String
  /// What leads to the file stays.
  private let url: URL

  init(path: String) {
    self.path = path
    url = URL(fileURLWithPath: path).resolvingSymlinksInPath()
  }

  /// What is kept; nothing where there is no file.
  ///
  /// - Throws: `ToolFailure` when something else is there.
  func read() throws(ToolFailure) -> SessionContents {
    guard let status = try? Stat(FilePath(url.path)) else { return SessionContents() }
    // Pipes and the like would be read for ever.
    guard status.type == .regular else {
      throw ToolFailure("“\(path.masked)” is not a regular file: give --session another name.")
    }
    let contents: SessionContents
    do {
      contents = try JSONDecoder().decode(SessionContents.self, from: Data(contentsOf: url))
    } catch is DecodingError {
      throw ToolFailure(
        "“\(path.masked)” is no session of martlet: move it away, or give --session another name.")
    } catch {
      throw ToolFailure("“\(path.masked)” cannot be read: check that it may be.")
    }
    guard contents.martletSession == SessionContents.version else {
      throw ToolFailure(
        "“\(path.masked)” is a session of another version of martlet: use that, or give --session another name."
      )
    }
    return contents
  }

  /// Writes the file in one step, with what other runs have kept meanwhile. A new file is for its owner alone.
  ///
  /// - Parameters:
  ///   - contents: What is to be kept.
  ///   - known: What the file held when it was read.
  /// - Throws: `ToolFailure` when it cannot be written; whatever is there stays as it is then.
  func save(_ contents: SessionContents, since known: SessionContents) throws(ToolFailure) {
    let lock = try lock()
    defer { withExtendedLifetime(lock) {} }
    let contents = contents.merged(with: try read(), since: known)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let new = url.partialBeside
    defer { unlink(new.path) }
    do {
      try OpenFile.replace(
        url, with: encoder.encode(contents) + Data("\n".utf8), through: new)
    } catch {
      throw notWritable(error)
    }
  }

  /// Finds out whether the file can be written, by its lock: that stands in the same directory, as the new file will.
  ///
  /// - Throws: `ToolFailure` when it cannot.
  func checkWritable() throws(ToolFailure) {
    do {
      _ = try FileLock(url.appendingPathExtension("lock"), timeout: .zero)
    } catch is FileLock.AlreadyLocked {
      // Another run is writing the file just now.
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
