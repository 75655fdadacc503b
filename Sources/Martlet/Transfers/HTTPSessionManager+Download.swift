public import Foundation
public import HTTPTypes
public import MartletCore

extension HTTPSessionManager {
  /// Downloads a body to a file, without ever holding it in memory.
  ///
  ///     let file = try await api.download("big.iso", to: folder) { progress in
  ///       print(progress.fractionCompleted)
  ///     }
  ///
  /// The file appears under its name when it is complete. A response whose status is not acceptable is an
  /// error and leaves no file.
  ///
  /// - Parameters:
  ///   - path: A path relative to the base URL, or a whole URL.
  ///   - parameters: Put into the query. The default is none.
  ///   - headers: Replace what the request serializer set. The default is none.
  ///   - destination: A folder, in which the file gets the name that the server suggests; or the file's
  ///     own URL.
  ///   - replacing: Whether a file that stands there already is replaced; otherwise it is an error. The
  ///     default is false.
  ///   - progress: Called after each chunk received, on an event loop: be quick. The default is none.
  /// - Returns: Where the file is.
  /// - Throws: `MartletError`, with code `.fileNotWritable` when the file cannot be written, and
  ///   `.unacceptableStatusCode`.
  public func download(
    _ path: String, parameters: Parameters? = nil, headers: HTTPFields = [:], to destination: URL,
    replacing: Bool = false, progress: (@Sendable (TransferProgress) -> Void)? = nil
  ) async throws -> URL {
    var request = try request(.get, path, parameters: parameters, headers: headers)
    let exchange = Exchange()
    request.exchange = exchange
    if let progress {
      exchange.observe { [weak exchange] event in
        guard case .received = event, let exchange else { return }
        progress(exchange.downloadProgress)
      }
    }
    let validator = HTTPResponseSerializer(statusCodesOf: responseSerializer)
    request.delivery = .download(of: request.url, to: destination, replacing: replacing) { head in
      validator.acceptableStatusCodes?.contains(head.status.code) ?? true
    }
    let response = try await send(request)
    if let file = response.body.file { return file }
    try validator.validate(response, data: try await response.body.data())
    throw MartletError.bodyTruncated(received: 0, of: response.head.contentLength)
  }
}

extension HTTPResponseSerializer {
  /// The status check of another serializer, for a body that is no object.
  fileprivate init(statusCodesOf other: any HTTPResponseSerializing) {
    self.init()
    acceptableStatusCodes = other.http.acceptableStatusCodes
  }
}

extension Delivery {
  /// Into a file when the response is acceptable; in memory, for the error, when it is not.
  fileprivate static func download(
    of url: URL, to destination: URL, replacing: Bool,
    isAcceptable: @escaping @Sendable (ResponseHead) -> Bool
  ) -> Delivery {
    let isFolder =
      (try? destination.resourceValues(forKeys: [.isDirectoryKey]).isDirectory) ?? false
    return Delivery { head in
      guard isAcceptable(head) else { return .buffer(limit: MartletError.bodyLimit) }
      let file =
        isFolder
        ? destination.appendingPathComponent(head.suggestedFileName(from: url)) : destination
      return .file(FileDelivery(url: file, replacesExisting: replacing))
    }
  }
}
