public import EssentialFoundation
public import MartletCore
import NIOCore

/// The result of a task, as the notification of its end carries it (AFNetworking's user-info keys, §1.4).
public struct SessionTaskCompletion: Sendable {
  /// The key under which notifications carry it.
  public static let userInfoKey = "martlet.sessionTaskCompletion"

  /// The serializer that checked the response.
  public var responseSerializer: (any HTTPResponseSerializing)?
  /// The object that the serializer made of the response.
  public var serializedResponse: (any Sendable)?
  /// The URL of the downloaded file.
  public var assetURL: URL?
  /// The error, if the task failed or its response was not acceptable.
  public var error: MartletError?
  /// The metrics of the task's last exchange.
  public var metrics: ExchangeMetrics?
  private var body: ByteBuffer?

  /// The body; `nil` if it was written to a file, and when there is no response. A body that was read as a stream is
  /// empty here.
  public var responseData: Data? { body.map { Data($0.readableBytesView) } }

  init(
    _ task: SessionTask, _ serializer: any HTTPResponseSerializing, _ outcome: SerializationOutcome
  ) {
    responseSerializer = serializer
    assetURL = task.kind == .download ? outcome.object as? URL : nil
    serializedResponse = outcome.object
    error = outcome.error
    metrics = task.metrics
    body = assetURL == nil ? task.response?.body.bytes : nil
  }
}
