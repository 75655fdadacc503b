import Foundation
import MartletCore
import NIOCore
import NIOPosix

/// An open file that is read at given places, on a thread that may block.
final class FileSource: Sendable {
  private let path: String
  private let descriptor: CInt

  /// - Throws: `MartletError` with code `.fileNotReachable`.
  init(path: String) throws(MartletError) {
    self.path = path
    descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw .fileNotReachable(
        URL(fileURLWithPath: path), underlying: SystemFailure(number: errno))
    }
  }

  deinit {
    close(descriptor)
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

  private func read(at offset: Int64, count: Int) throws -> ByteBuffer {
    var buffer = ByteBufferAllocator().buffer(capacity: count)
    try buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: count) { target in
      try read(into: target.baseAddress, at: offset, count: count)
    }
    return buffer
  }

  private func read(into target: UnsafeMutableRawPointer?, at offset: Int64, count: Int)
    throws(MartletError) -> Int
  {
    while true {
      let result = pread(descriptor, target, count, off_t(offset))
      guard result < 0 else { return result }
      guard errno == EINTR else {
        throw .fileNotReachable(
          URL(fileURLWithPath: path), underlying: SystemFailure(number: errno))
      }
    }
  }
}
