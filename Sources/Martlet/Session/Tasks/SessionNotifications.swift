public import Foundation
public import MartletCore
import NIOCore

/// What is posted about tasks that were made with a completion, on the main queue (SES §9.9).
///
/// An async call hands out no task, and posts nothing; `events` tells of both.
extension Notification.Name {
  /// A task has begun, or goes on; the object is the task.
  public static let sessionTaskDidResume = Notification.Name("martlet.sessionTaskDidResume")
  /// A task is held; the object is the task.
  public static let sessionTaskDidSuspend = Notification.Name("martlet.sessionTaskDidSuspend")
  /// A task is over, and its completion has returned; the object is the task, and the user info has a
  /// ``SessionTaskCompletion`` (SES-C6).
  public static let sessionTaskDidComplete = Notification.Name("martlet.sessionTaskDidComplete")
  /// A downloaded file is where it belongs; the object is the task (SES-D5).
  public static let downloadTaskDidMoveFile = Notification.Name("martlet.downloadTaskDidMoveFile")
  /// A downloaded file could not be moved to where it belongs; the object is the task, and the user info has
  /// a ``SessionTaskCompletion`` with the error.
  public static let downloadTaskDidFailToMoveFile = Notification.Name(
    "martlet.downloadTaskDidFailToMoveFile")
  /// A session has been invalidated, and its last task is over; the object is the session, unless that is
  /// gone. Posted on the session's queue.
  public static let sessionDidInvalidate = Notification.Name("martlet.sessionDidInvalidate")
}

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
  public var metrics: Metrics?
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

extension Notification {
  /// How the task ended, in a notification named `sessionTaskDidComplete`.
  public var sessionTaskCompletion: SessionTaskCompletion? {
    userInfo?[SessionTaskCompletion.userInfoKey] as? SessionTaskCompletion
  }
}

extension SessionTask {
  /// Posts what the task's events say of its state.
  func postEvents() {
    call.observe(.task) { [weak self] event in
      switch event.kind {
      case .taskResumed: self?.post(.sessionTaskDidResume)
      case .taskSuspended: self?.post(.sessionTaskDidSuspend)
      default: break
      }
    }
  }

  /// Posts a notification about the task on the main queue.
  func post(_ name: Notification.Name, _ completion: SessionTaskCompletion? = nil) {
    DispatchQueue.main.async { [self] in
      NotificationCenter.default.post(
        name: name, object: self,
        userInfo: completion.map { [SessionTaskCompletion.userInfoKey: $0] })
    }
  }
}
