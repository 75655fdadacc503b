import EssentialFoundation
import HTTPTypes
import MartletCore
import NIOCore
import RawStructuredFieldValues

/// The digests that a downloaded file must have.
struct DownloadCheck: Equatable {
  /// The digest of the bytes from an offset on, and its source.
  struct ExpectedDigest: Equatable {
    var checksum: Checksum
    var offset: Int64
    var source: String
  }

  private(set) var expectedDigests: [ExpectedDigest] = []

  /// - Parameters:
  ///   - checksum: The caller's checksum of the whole file.
  ///   - response: The last response of the download.
  ///   - offset: The offset in the file at which the response's body begins.
  ///   - known: The `Repr-Digest` of an earlier response.
  init(_ checksum: Checksum?, _ response: Response, at offset: Int64, known: String?) {
    if let checksum {
      expectedDigests.append(ExpectedDigest(checksum: checksum, offset: 0, source: "the checksum"))
    }
    // The body of a 416 response is not part of the file.
    let isPage = response.status.code == 416
    // Digests cover the bytes as they were sent; the file may have them decompressed.
    guard isPage || !response.head.isEncoded else { return }
    let whole = isPage ? known : response.field(.reprDigest) ?? known
    if let whole = whole.flatMap(DigestField.strongest) {
      expectedDigests.append(ExpectedDigest(checksum: whole, offset: 0, source: "the server"))
    } else if !isPage, let part = response.field(.contentDigest).flatMap(DigestField.strongest) {
      expectedDigests.append(ExpectedDigest(checksum: part, offset: offset, source: "the server"))
    }
  }

  /// Reads the file again, and compares the digests of the bytes that were written.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - shouldContinue: Whether to continue; called for each piece of the file.
  /// - Throws: `MartletError` with code `.digestMismatch`, `.fileNotReachable`, or `.cancelled`.
  @concurrent
  func run(on file: URL, while shouldContinue: @Sendable () -> Bool) async throws {
    for expected in expectedDigests {
      let found = try Self.digest(
        expected.checksum.algorithm, of: file, from: expected.offset, while: shouldContinue)
      guard shouldContinue() else { throw MartletError.cancelled }
      guard found != expected.checksum.bytes else { continue }
      throw MartletError.digestMismatch(
        expected.checksum.algorithm.rawValue, expected: expected.checksum.digits,
        found: found.hexadecimal, source: expected.source)
    }
  }

  private static func digest(
    _ algorithm: Checksum.Algorithm, of file: URL, from offset: Int64,
    while shouldContinue: () -> Bool
  ) throws -> Data {
    do {
      let opened = try OpenFile(reading: file)
      return try algorithm.digest { take in
        var place = offset
        while shouldContinue(), case let piece = try opened.read(at: place),
          piece.readableBytes > 0
        {
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
  /// Returns a field of the header section, otherwise of the trailers.
  fileprivate func field(_ name: HTTPField.Name) -> String? {
    headers[name] ?? trailers?[name]
  }
}

/// `Content-Digest` and `Repr-Digest` (RFC 9530 §2, §3): a dictionary of algorithms and digests.
enum DigestField {
  /// Returns the strongest digest that can be checked, if there is one. A malformed field is ignored (RFC 9651 §4.2),
  /// and so is an unknown algorithm.
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

  /// Names are in lower case (RFC 9651 §3.1.2), but servers that used the older field `Digest` write `SHA-256`.
  private static func withLowerCaseNames(_ field: String) -> String {
    field.fieldElements().map { member in
      let name = member.prefix { $0 != "=" }
      return name.lowercased() + member.dropFirst(name.count)
    }.joined(separator: ",")
  }
}
