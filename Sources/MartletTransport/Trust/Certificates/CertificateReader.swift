public import EssentialFoundation
public import MartletCore

/// Reads certificates from files: any number in PEM form (RFC 7468), or one in DER form.
public enum CertificateReader {
  /// The certificates in a file, as DER.
  ///
  /// One that cannot be read is left out.
  ///
  /// - Parameter url: A file URL.
  /// - Returns: The certificates in order, at least one.
  /// - Throws: `MartletError` with code `.invalidTrustRoots` when there are none to be read.
  public static func certificates(at url: URL) throws(MartletError) -> [[UInt8]] {
    let found: [[UInt8]]
    do {
      found = certificates(in: try Data(contentsOf: url))
    } catch {
      throw .invalidTrustRoots("“\(url.path.masked)”", underlying: error)
    }
    guard !found.isEmpty else { throw .invalidTrustRoots("“\(url.path.masked)”") }
    return found
  }

  /// The certificates in what a file holds, as DER: those that can be read.
  public static func certificates(in data: Data) -> [[UInt8]] {
    readable(in: data).map(\.der)
  }

  /// The certificates in `data` that can be read, in PEM or DER form.
  static func readable(in data: Data) -> [ParsedCertificate] {
    ders(in: data).compactMap { ParsedCertificate($0) }
  }

  /// What should be certificates.
  static func ders(in data: Data) -> [[UInt8]] {
    // A certificate in DER form may have anything in its names, even what PEM begins with.
    let whole = Array(data)
    if !PEM.isPEM(data) || ParsedCertificate(whole) != nil { return whole.isEmpty ? [] : [whole] }
    return PEM.blocks(in: data).compactMap { labels.contains($0.label) ? $0.der : nil }
  }

  /// The second is what some tools write.
  private static let labels: Set<String> = ["CERTIFICATE", "X509 CERTIFICATE"]
}
