public import EssentialFoundation
public import MartletCore
import NIOCore

/// How a task ended: what the notification of it carries (AFNetworking's user-info keys, §1.4).
public struct SessionTaskCompletion: Sendable {
  /// The key under which notifications carry it.
  public static let userInfoKey = "martlet.sessionTaskCompletion"

  /// What checked the response.
  public var responseSerializer: (any HTTPResponseSerializing)?
  /// What it made of the response.
  public var serializedResponse: (any Sendable)?
  /// Where a download went.
  public var assetURL: URL?
  /// Why the task failed, or its response was not acceptable.
  public var error: MartletError?
  /// What its last exchange took.
  public var metrics: ExchangeMetrics?
  private var body: ByteBuffer?

  /// The body, perhaps empty; `nil` for one that went into a file or a stream, and when there is no response.
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
