import Crypto
public import EssentialFoundation
public import MartletCore

/// The checksum that the bytes of a download must have.
///
///     try Checksum("sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08")
public struct Checksum: Hashable, Sendable {
  /// How a checksum is computed.
  public enum Algorithm: String, Hashable, Codable, Sendable, CaseIterable {
    /// SHA-256, 32 bytes.
    case sha256 = "sha-256"
    /// SHA-512, 64 bytes.
    case sha512 = "sha-512"

    /// The number of bytes of its checksums.
    public var byteCount: Int { self == .sha256 ? 32 : 64 }
  }

  /// The algorithm with which it is computed.
  public let algorithm: Algorithm
  /// The checksum itself.
  public let bytes: Data

  /// A checksum from its bytes.
  ///
  /// - Parameters:
  ///   - algorithm: The algorithm with which it is computed.
  ///   - bytes: The checksum, of the algorithm's length.
  /// - Throws: `MartletError` with code `.invalidChecksum` for any other number of bytes.
  public init(_ algorithm: Algorithm, bytes: Data) throws(MartletError) {
    guard bytes.count == algorithm.byteCount else {
      throw .invalidChecksum(
        algorithm.rawValue, byteCount: algorithm.byteCount, found: bytes.count)
    }
    self.algorithm = algorithm
    self.bytes = bytes
  }

  /// A checksum from `sha256:` or `sha512:` and hexadecimal digits, in upper or lower case; the name may have a hyphen.
  ///
  /// - Parameter text: The name of the algorithm, a colon, and the digits.
  /// - Throws: `MartletError` with code `.invalidChecksum` for any other text, and when there are too many or too few
  ///   digits.
  public init(_ text: String) throws(MartletError) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    let name = parts[0].lowercased().replacing("-", with: "")
    guard parts.count == 2,
      let algorithm = Algorithm.allCases.first(where: {
        $0.rawValue.replacing("-", with: "") == name
      }), let bytes = Data(hexadecimal: parts[1]), bytes.count == algorithm.byteCount
    else { throw .invalidChecksum(text) }
    try self.init(algorithm, bytes: bytes)
  }

  /// The bytes as hexadecimal digits.
  var digits: String { bytes.hexadecimal }
}

extension Checksum: Codable {
  private enum CodingKeys: String, CodingKey {
    case algorithm, bytes
  }

  /// A checksum from an archive.
  ///
  /// - Throws: `DecodingError`; `MartletError` with code `.invalidChecksum` when the number of bytes is not the
  ///   algorithm's.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    let algorithm = try values.decode(Algorithm.self, forKey: .algorithm)
    let bytes = try values.decode(Data.self, forKey: .bytes)
    try self.init(algorithm, bytes: bytes)
  }
}

extension Checksum: CustomStringConvertible {
  /// The checksum as text, as `init(_:)` takes it.
  public var description: String {
    "\(algorithm.rawValue.replacing("-", with: "")):\(digits)"
  }
}

extension Data {
  fileprivate init?(hexadecimal digits: Substring) {
    guard digits.utf8.count.isMultiple(of: 2) else { return nil }
    self.init()
    var rest = digits.utf8
    while let high = rest.popFirst(), let low = rest.popFirst() {
      guard let high = high.hexadecimalValue, let low = low.hexadecimalValue else { return nil }
      append(high << 4 | low)
    }
  }
}

extension Checksum.Algorithm {
  /// Computes a checksum piece by piece.
  func digest(_ forEachPiece: ((Data) -> Void) throws -> Void) rethrows -> Data {
    switch self {
    case .sha256: try Self.digest(SHA256(), forEachPiece)
    case .sha512: try Self.digest(SHA512(), forEachPiece)
    }
  }

  private static func digest<Hash: HashFunction>(
    _ hash: Hash, _ forEachPiece: ((Data) -> Void) throws -> Void
  ) rethrows -> Data {
    var hash = hash
    try forEachPiece { hash.update(data: $0) }
    return Data(hash.finalize())
  }
}
