public import EssentialFoundation
public import MartletCore

/// Reads certificates from files: any number in PEM form (RFC 7468), or one in DER form.
public enum CertificateReader {
  /// The certificates in a file, as DER.
  ///
  /// A certificate that cannot be read is left out.
  ///
  /// - Parameter url: A file URL.
  /// - Returns: The certificates in order, at least one.
  /// - Throws: `MartletError` with code `.invalidTrustRoots` when the file cannot be read, or has no readable
  ///   certificate.
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

  /// The certificates in the contents of a file, as DER, except those that cannot be read.
  public static func certificates(in data: Data) -> [[UInt8]] {
    readable(in: data).map(\.der)
  }

  /// The certificates in `data` that can be read, in PEM or DER form.
  static func readable(in data: Data) -> [ParsedCertificate] {
    ders(in: data).compactMap { ParsedCertificate($0) }
  }

  /// The parts that should be certificates, as DER.
  static func ders(in data: Data) -> [[UInt8]] {
    // The names of a certificate in DER form may contain any text, even the beginning of PEM.
    let whole = Array(data)
    if !PEM.isPEM(data) || ParsedCertificate(whole) != nil { return whole.isEmpty ? [] : [whole] }
    return PEM.blocks(in: data).compactMap { labels.contains($0.label) ? $0.der : nil }
  }

  /// Some tools write the second label.
  private static let labels: Set<String> = ["CERTIFICATE", "X509 CERTIFICATE"]
}
