public import EssentialFoundation
public import MartletCore
import MartletTransport

/// Certificates to pin, from files.
extension SecurityPolicy {
  /// The contents of the files with the extension `cer` at the top level of the program's resources (SEC-3).
  ///
  /// The set is empty in a program that links `MartletEssentials` without `Martlet`.
  public static var bundledCertificates: Set<Data> {
    FoundationExtras.current?.programCertificates ?? []
  }

  /// Returns the certificates in a folder.
  ///
  /// The files at its top level that end in `cer`, `crt`, `der` or `pem` are read. Each of them holds one certificate
  /// in DER form or any number in PEM form.
  ///
  /// - Parameter folder: A file URL.
  /// - Returns: The certificates, as DER.
  /// - Throws: `MartletError` with code `.invalidTrustRoots` for a folder that cannot be read, and for a file without a
  ///   readable certificate.
  public static func certificates(inFolder folder: URL) throws(MartletError) -> Set<Data> {
    var found: Set<Data> = []
    for file in try files(in: folder, extensions: ["cer", "crt", "der", "pem"]) {
      for der in try CertificateReader.certificates(at: file) { found.insert(Data(der)) }
    }
    return found
  }

  /// Returns the certificates in a file, one in DER form or any number in PEM form.
  ///
  /// - Parameter file: A file URL.
  /// - Returns: The certificates, as DER.
  /// - Throws: `MartletError` with code `.invalidTrustRoots` when the file has no readable certificate.
  public static func certificates(at file: URL) throws(MartletError) -> Set<Data> {
    Set(try CertificateReader.certificates(at: file).map { Data($0) })
  }

  package static func files(in folder: URL, extensions: Set<String>) throws(MartletError) -> [URL] {
    do {
      let files = try FileManager.default.contentsOfDirectory(
        atPath: folder.path)
      return files.map { folder.appendingPathComponent($0) }
        .filter { extensions.contains($0.pathExtension.lowercased()) }
    } catch {
      throw .folderNotReadable(folder, underlying: error)
    }
  }
}
