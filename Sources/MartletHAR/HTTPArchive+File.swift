public import EssentialFoundation
public import MartletCore
import NIOCore
import SystemPackage

/// Archives in files.
extension HTTPArchive {
  /// Reads an archive from a file.
  ///
  /// - Parameter file: The file, which any program may have made.
  /// - Throws: `MartletError` with code `.fileNotReachable`, or `.decodingFailed` if it is not an archive.
  public init(contentsOf file: URL) throws(MartletError) {
    let data: Data
    do {
      data = try Data(contentsOf: file)
    } catch {
      throw .fileNotReachable(file, underlying: error)
    }
    do {
      self = try JSONDecoder().decode(HTTPArchive.self, from: data)
    } catch {
      throw MartletError(
        .decodingFailed,
        "\(file.path) is not an archive in the format HAR 1.2: \(Self.reason(error)).",
        phase: .decode, underlying: error)
    }
  }

  /// Writes the archive to a file, which is replaced if it exists. Only its owner may read a new file.
  ///
  /// - Parameter file: The file.
  /// - Throws: `MartletError` with code `.fileNotWritable`. The file is as it was then.
  public func write(to file: URL) throws(MartletError) {
    do {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .withoutEscapingSlashes, .sortedKeys]
      var destination = FileDestination(url: file)
      destination.permissions = [.ownerReadWrite]
      let partial = PartialFile(destination)
      defer { partial.close() }
      try partial.write([ByteBuffer(bytes: try encoder.encode(self))])
      try partial.complete()
    } catch {
      throw error as? MartletError ?? .fileNotWritable(file, underlying: error)
    }
  }

  private static func reason(_ error: any Error) -> String {
    switch error as? DecodingError {
    case .keyNotFound(let key, let context): "\(path(context)) has no “\(key.stringValue)”"
    case .typeMismatch(_, let context), .valueNotFound(_, let context):
      "\(path(context)) is of another type than the format requires"
    case .dataCorrupted(let context) where !context.codingPath.isEmpty:
      "\(path(context)) has a value that cannot be read"
    default: "it is not JSON"
    }
  }

  private static func path(_ context: DecodingError.Context) -> String {
    guard !context.codingPath.isEmpty else { return "the top level" }
    let keys = context.codingPath.map { $0.intValue.map { "[\($0)]" } ?? $0.stringValue }
    return "“\(keys.joined(separator: "."))”"
  }
}
