import Foundation
import MartletCore
import NIOCore

/// The backstop: a call that the engine has lost fails, so that no caller waits for ever.
extension Call {
  /// Whether a call that is not over is with no connection and not in its pool, so that nothing will answer it.
  var isLost: Bool {
    switch stage {
    case .over: false
    case .waiting: !pool.holds(self)
    case .running(let connection): !connection.carries(self)
    }
  }

  /// Fails because the engine has lost the call. Debug builds say where that was found.
  func failAsLost(_ file: StaticString = #fileID, _ line: UInt = #line) {
    assert(Self.note("A call to \(origin) was lost \(place).", file, line))
    fail(.unanswered(origin))
  }

  private var place: String {
    switch stage {
    case .over: "when it was over"
    case .waiting: "while it waited for a connection"
    case .running(let connection):
      "on connection \(connection.id), as number \(ticket) of it, over \(connection.info.protocolName)"
    }
  }

  /// Writes a line for the developer of the engine. Called by assertions alone.
  ///
  /// - Returns: True.
  static func note(_ sentence: String, _ file: StaticString = #fileID, _ line: UInt = #line)
    -> Bool
  {
    FileHandle.standardError.write(Data("\(file):\(line): \(sentence)\n".utf8))
    return true
  }
}
