public import Foundation
public import HTTPTypes
public import MartletCore
import NIOCore

extension HTTPSessionManager {
  /// Downloads a body to a file, without ever holding it in memory.
  ///
  ///     let file = try await api.download("big.iso", to: folder) { progress in
  ///       print(progress.fractionCompleted)
  ///     }
  ///
  /// The file appears under its name when it is complete. A response whose status is not acceptable is an
  /// error and leaves no file. Its content type does not matter, as the body is not decoded.
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
    let (serializer, url) = (responseSerializer, request.url)
    request.delivery = .download(of: url, to: destination, replacing: replacing) { head in
      serializer.accepts(Response(head: head, url: url))
    }
    let response = try await send(request)
    if let file = response.body.file { return file }
    throw serializer.rejection(of: response, data: await response.body.beginning())
  }
}

extension HTTPResponseSerializing {
  /// Whether a response is acceptable as far as can be told before its body is there: without a body, no
  /// content type is an error (RES-V4).
  fileprivate func accepts(_ response: Response) -> Bool {
    do {
      try validate(response, data: Data())
      return true
    } catch {
      return false
    }
  }

  /// Why a response is not acceptable.
  fileprivate func rejection(of response: Response, data: Data) -> MartletError {
    do {
      try validate(response, data: data)
      // Whoever looks at bodies may think better of it with one; there is still no file.
      try validate(response, data: Data())
      return .bodyTruncated(received: Int64(data.count), of: response.head.contentLength)
    } catch {
      return .serialization(error, as: Data.self, of: response, data: data)
    }
  }
}

extension ResponseBody {
  /// As many of the first bytes as an error keeps; what goes wrong on the way does not matter.
  fileprivate func beginning() async -> Data {
    var data = Data()
    var chunks = makeAsyncIterator()
    while data.count < MartletError.bodyLimit, let chunk = try? await chunks.next() {
      data += Data(chunk.readableBytesView)
    }
    return data.prefix(MartletError.bodyLimit)
  }
}

extension Delivery {
  /// Into a file when the response is acceptable; a stream, whose beginning goes into the error, when it
  /// is not.
  fileprivate static func download(
    of url: URL, to destination: URL, replacing: Bool,
    isAcceptable: @escaping @Sendable (ResponseHead) -> Bool
  ) -> Delivery {
    let isFolder =
      (try? destination.resourceValues(forKeys: [.isDirectoryKey]).isDirectory) ?? false
    return Delivery { head in
      guard isAcceptable(head) else { return .stream }
      let file =
        isFolder
        ? destination.appendingPathComponent(head.suggestedFileName(from: url) ?? "download")
        : destination
      return .file(FileDelivery(url: file, replacesExisting: replacing))
    }
  }
}
