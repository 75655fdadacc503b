import Foundation
import MartletCore
import SwiftASN1
import X509

/// Reads the certificates at which trust begins.
enum RootCertificates {
  /// The certificates in a file, at least one.
  ///
  /// - Throws: `MartletError` with code `.invalidTrustRoots` when there are none to be read.
  static func read(fileAt url: URL) throws(MartletError) -> [Certificate] {
    do {
      let certificates = try parse(Data(contentsOf: url))
      guard !certificates.isEmpty else {
        throw MartletError.invalidTrustRoots("“\(url.path.masked)”")
      }
      return certificates
    } catch {
      throw .invalidTrustRoots("“\(url.path.masked)”", underlying: error)
    }
  }

  /// The certificates given, each in DER form.
  ///
  /// - Throws: `MartletError` with code `.invalidTrustRoots`.
  static func read(_ ders: [[UInt8]]) throws(MartletError) -> [Certificate] {
    do {
      return try ders.map { try Certificate(derEncoded: $0) }
    } catch {
      throw .invalidTrustRoots("the certificates given", underlying: error)
    }
  }

  /// Any number of certificates in PEM form (RFC 7468), or one in DER form.
  static func parse(_ data: Data) throws -> [Certificate] {
    guard data.firstRange(of: Data("-----BEGIN ".utf8)) != nil else {
      return [try Certificate(derEncoded: Array(data))]
    }
    let documents = try PEMDocument.parseMultiple(pemString: String(decoding: data, as: UTF8.self))
    return try documents.map { try Certificate(pemDocument: $0) }
  }
}
