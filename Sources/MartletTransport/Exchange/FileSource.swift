import EssentialFoundation
import MartletCore
import NIOCore
import NIOPosix

/// An open file that is read at given places, on a thread that may block.
final class FileSource: Sendable {
  private let path: String
  private let file: OpenFile

  /// - Throws: `MartletError` with code `.fileNotReachable`.
  init(path: String) throws(MartletError) {
    self.path = path
    do {
      file = try OpenFile(reading: URL(fileURLWithPath: path))
    } catch {
      throw .fileNotReachable(URL(fileURLWithPath: path), underlying: error)
    }
  }

  /// Begins to read at most `count` bytes, of which there are none at the end of the file.
  ///
  /// Begun without a task of its own, which would cost two more changes of threads.
  func startReading(at offset: Int64, count: Int) -> PendingRead {
    let pending = PendingRead()
    guard count > 0 else {
      pending.finish(.success(ByteBuffer()))
      return pending
    }
    NIOThreadPool.singleton.submit { [self] state in
      guard case .active = state else { return pending.finish(.failure(CancellationError())) }
      pending.finish(Result { try read(at: offset, count: count) })
    }
    return pending
  }

  private func read(at offset: Int64, count: Int) throws(MartletError) -> ByteBuffer {
    do {
      return try file.read(upTo: count, at: offset)
    } catch {
      throw .fileNotReachable(URL(fileURLWithPath: path), underlying: error)
    }
  }
}
