import EssentialFoundation
import HTTPTypes
import MartletCore
import NIOCore
import RawStructuredFieldValues

/// What is claimed about a file that has been downloaded.
struct DownloadCheck: Equatable {
  /// What the bytes at some places come to, and who says so.
  struct ExpectedDigest: Equatable {
    var checksum: Checksum
    var offset: Int64
    var source: String
  }

  private(set) var expectedDigests: [ExpectedDigest] = []

  /// - Parameters:
  ///   - checksum: What the caller says of the whole file.
  ///   - response: The last response of the download.
  ///   - offset: Where its body begins in the file.
  ///   - known: What an earlier response said as `Repr-Digest`.
  init(_ checksum: Checksum?, _ response: Response, at offset: Int64, known: String?) {
    if let checksum {
      expectedDigests.append(ExpectedDigest(checksum: checksum, offset: 0, source: "the checksum"))
    }
    // A page that says that there is no more is not what the file has.
    let isPage = response.status.code == 416
    // Digests are about bytes as they were sent, the file may have them decompressed.
    guard isPage || !response.head.isEncoded else { return }
    let whole = isPage ? known : response.field(.reprDigest) ?? known
    if let whole = whole.flatMap(DigestField.strongest) {
      expectedDigests.append(ExpectedDigest(checksum: whole, offset: 0, source: "the server"))
    } else if !isPage, let part = response.field(.contentDigest).flatMap(DigestField.strongest) {
      expectedDigests.append(ExpectedDigest(checksum: part, offset: offset, source: "the server"))
    }
  }

  /// Reads the file again, so that what is checked is what was written.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - isWanted: Whether to go on; asked for each piece of the file.
  /// - Throws: `MartletError` with code `.digestMismatch`, `.fileNotReachable`, or `.cancelled`.
  @concurrent
  func run(on file: URL, while isWanted: @Sendable () -> Bool) async throws {
    for expected in expectedDigests {
      let found = try Self.digest(
        expected.checksum.algorithm, of: file, from: expected.offset, while: isWanted)
      guard isWanted() else { throw MartletError.cancelled }
      guard found != expected.checksum.bytes else { continue }
      throw MartletError.digestMismatch(
        expected.checksum.algorithm.rawValue, expected: expected.checksum.digits,
        found: found.hexadecimal, source: expected.source)
    }
  }

  private static func digest(
    _ algorithm: Checksum.Algorithm, of file: URL, from offset: Int64, while isWanted: () -> Bool
  ) throws -> Data {
    do {
      let opened = try OpenFile(reading: file)
      return try algorithm.digest { take in
        var place = offset
        while isWanted(), case let piece = try opened.read(at: place), piece.readableBytes > 0 {
          take(Data(piece.readableBytesView))
          place += Int64(piece.readableBytes)
        }
      }
    } catch {
      throw MartletError.fileNotReachable(file, underlying: error)
    }
  }
}

extension Response {
  /// A field of the header section, else of the trailers.
  fileprivate func field(_ name: HTTPField.Name) -> String? {
    headers[name] ?? trailers?[name]
  }
}

/// `Repr-Digest` and `Content-Digest` (RFC 9530 §2, §3): a dictionary of algorithms and digests.
enum DigestField {
  /// The strongest digest that can be checked, if there is one. A field that is malformed says nothing
  /// (RFC 9651 §4.2), and an algorithm that is not known is passed over.
  static func strongest(_ field: String) -> Checksum? {
    var parser = StructuredFieldValueParser(Array(withLowerCaseNames(field).utf8))
    guard let members = try? parser.parseDictionaryFieldValue() else { return nil }
    let checksums = members.compactMap { name, member -> Checksum? in
      guard let algorithm = Checksum.Algorithm(rawValue: name), case .item(let item) = member,
        case .undecodedByteSequence(let text) = item.rfc9651BareItem,
        let bytes = Data(base64Encoded: String(text))
      else { return nil }
      return try? Checksum(algorithm, bytes: bytes)
    }
    return checksums.max { $0.bytes.count < $1.bytes.count }
  }

  /// Names have no upper case (RFC 9651 §3.1.2), but servers that come from the older field `Digest` write `SHA-256`.
  private static func withLowerCaseNames(_ field: String) -> String {
    field.fieldElements().map { member in
      let name = member.prefix { $0 != "=" }
      return name.lowercased() + member.dropFirst(name.count)
    }.joined(separator: ",")
  }
}
