import EssentialFoundation
import MartletCore
import SystemPackage

/// The files of large bodies. Each has a random number as its name, and is never changed after it is complete.
///
/// A file belongs to a response only when a row of the database has its number. What a process leaves behind that ends
/// in the middle of a body is an orphan, and is removed later.
struct BodyFiles: Sendable {
  let folder: URL

  /// The end of the names, by which a file of another origin is not taken for an orphan.
  private static let suffix = ".body"
  /// How old an orphan must be, in seconds, to be removed. A younger file may be about to get its row.
  private static let orphanAge = 3600

  /// Creates a file that only the user can read.
  ///
  /// - Throws: `Errno`, and what creating the folder throws.
  func create() throws -> (number: Int64, file: OpenFile) {
    let number = Int64.random(in: .min ... .max)
    let options: SystemPackage.FileDescriptor.OpenOptions = [.create, .exclusiveCreate]
    do {
      return (number, try OpenFile(url(number), options: options, permissions: .ownerReadWrite))
    } catch Errno.noSuchFileOrDirectory {
      try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      return (number, try OpenFile(url(number), options: options, permissions: .ownerReadWrite))
    }
  }

  /// Whether a file exists and has its length. After a crash of the machine, a file may have lost its last bytes: file
  /// systems store the length of a file after its bytes.
  func has(_ number: Int64, length: Int64) -> Bool {
    (try? Stat(FilePath(url(number).path)))?.size == length
  }

  /// Removes files. What is open stays readable until it is closed.
  func remove(_ numbers: [Int64]) {
    for number in numbers { try? FilePath(url(number).path).unlink() }
  }

  /// The numbers of all files.
  var all: [Int64] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.filter { $0.hasSuffix(Self.suffix) }.compactMap { name in
      UInt64(name.dropLast(Self.suffix.count), radix: 16).map(Int64.init(bitPattern:))
    }
  }

  /// The numbers of the files that have not been written for an hour.
  func old(at now: Date) -> [Int64] {
    all.filter { number in
      guard let status = try? Stat(FilePath(url(number).path)) else { return false }
      return Int(status.st_mtim.tv_sec) < Int(now.timeIntervalSince1970) - Self.orphanAge
    }
  }

  func url(_ number: Int64) -> URL {
    folder.appendingPathComponent(String(UInt64(bitPattern: number), radix: 16) + Self.suffix)
  }
}
