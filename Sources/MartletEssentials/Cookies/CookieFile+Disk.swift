import EssentialFoundation
import MartletCore
import SystemPackage

/// Access to the file, which is read as a whole and replaced atomically.
extension CookieFile {
  /// The file after symbolic links are resolved. The links are kept.
  private var resolvedURL: URL { url.resolvingSymlinksInPath() }

  /// The maximum size of a file: 64 MiB, which is more than a jar with the default limits needs.
  private static let maximumSize = 64 << 20

  func read() throws(MartletError) -> [CookieRow] {
    guard let data = try data() else { return [] }
    do {
      return try CookieText.rows(in: data, at: Date())
    } catch {
      throw .notCookies(error, in: url)
    }
  }

  /// Returns the bytes; `nil` when there is no file. Reading a pipe might never end, so only regular files are read.
  private func data() throws(MartletError) -> Data? {
    do {
      let status = try Stat(FilePath(resolvedURL.path))
      guard status.type == .regular else {
        throw MartletError.notCookieFile(url, "must be a regular file")
      }
      guard status.size <= Self.maximumSize else {
        throw MartletError.notCookieFile(url, "may have \(Self.maximumSize >> 20) MiB at most")
      }
      return try Data(contentsOf: resolvedURL)
    } catch Errno.noSuchFileOrDirectory {
      return nil
    } catch {
      throw error as? MartletError ?? .fileNotReachable(url, underlying: error)
    }
  }

  func lock() throws(MartletError) -> FileLock {
    do {
      return try FileLock(resolvedURL.appendingPathExtension("lock"), timeout: .seconds(10))
    } catch is FileLock.AlreadyLocked {
      throw .cookieFileInUse(url)
    } catch {
      throw .fileNotWritable(url, underlying: error)
    }
  }

  func write(_ data: Data) throws(MartletError) {
    let new = resolvedURL.newPartialURL
    defer { try? FilePath(new.path).unlink() }
    do {
      try OpenFile.replace(resolvedURL, with: data, through: new)
    } catch {
      throw error as? MartletError ?? .fileNotWritable(url, underlying: error)
    }
  }
}
