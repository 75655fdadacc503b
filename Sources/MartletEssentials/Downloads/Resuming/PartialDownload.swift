import EssentialFoundation
import MartletCore
import NIOCore
import SystemPackage

/// Writes one response to the partial file of a download. The file is never removed here.
final class PartialDownload: ResponseBodyWriter {
  private struct State {
    var file: OpenFile?
    var position: Int64
    var hasBegun = false
    var hasFailed = false
    var exceedsAnnouncedLength = false
  }

  /// Whether the engine has abandoned and closed the writer.
  private struct Ending {
    var isAbandoned = false
    var isClosed = false
    var waiter: CheckedContinuation<Void, Never>?
  }

  /// The partial file.
  let url: URL
  private let bytes: Range<Int64>
  private let name: FinalName?
  private let durability: FileDurability
  private let begin: @Sendable () throws -> Void
  // The lock is held while a chunk is written. Only one call writes at a time, so that no call waits for it.
  private let state: Locked<State>
  private let ending = Locked(Ending())

  /// - Parameters:
  ///   - url: The partial file.
  ///   - bytes: The position of the body in the file, which is truncated at the lower bound first. The upper bound is
  ///     `.max` when the end is not known.
  ///   - name: The final name of the file; `nil` when it stays where it is.
  ///   - durability: How far the bytes are on their way to the disk when the file is complete.
  ///   - begin: Called once, when the file has been truncated and before anything is written.
  init(
    _ url: URL, bytes: Range<Int64>, name: FinalName?, _ durability: FileDurability,
    begin: @escaping @Sendable () throws -> Void
  ) {
    self.url = url
    self.bytes = bytes
    self.name = name
    self.durability = durability
    self.begin = begin
    state = Locked(State(position: bytes.lowerBound))
  }

  private var announced: Int64 { bytes.upperBound - bytes.lowerBound }

  func write(_ chunks: [ByteBuffer]) throws {
    for chunk in chunks {
      try change { state, file in
        let position = state.position + Int64(chunk.readableBytes)
        guard position <= bytes.upperBound else {
          state.exceedsAnnouncedLength = true
          throw MartletError.bodyNotAsAnnounced(announced, sent: "more")
        }
        try file.write(chunk)
        state.position = position
      }
    }
  }

  func complete() throws {
    try change { state, file in
      guard bytes.upperBound == .max || state.position == bytes.upperBound else {
        let sent = state.position - bytes.lowerBound
        throw MartletError.bodyNotAsAnnounced(announced, sent: "\(sent)")
      }
      try file.finish()
      state.file = nil
    }
  }

  func abandon() {
    ending.withLock { $0.isAbandoned = true }
  }

  func close() {
    ending.withLock { ending in
      ending.isClosed = true
      defer { ending.waiter = nil }
      return ending.waiter
    }?.resume()
  }

  /// Waits until no more is written. If the server sent more than it announced, all bytes of the response are removed.
  ///
  /// - Returns: The number of valid bytes in the file, or `nil` when it was not changed.
  func stop() async -> Int64? {
    await closed()
    return state.withLock { state in
      if state.exceedsAnnouncedLength, (try? state.file?.truncate(to: bytes.lowerBound)) != nil {
        state.position = bytes.lowerBound
      }
      state.file = nil
      return state.hasBegun ? state.position : nil
    }
  }

  /// Waits until an abandoned file is closed.
  private func closed() async {
    await withCheckedContinuation { waiter in
      let isOver = ending.withLock { ending in
        guard ending.isAbandoned, !ending.isClosed else { return true }
        ending.waiter = waiter
        return false
      }
      if isOver { waiter.resume() }
    }
  }

  private func change(_ work: (inout State, OpenFile) throws -> Void) throws {
    try state.withLock { state in
      // After a failure, nothing more may be written, because bytes are missing.
      guard !state.hasFailed else { throw MartletError.cancelled }
      do {
        let file = try state.file ?? open(&state)
        try work(&state, file)
      } catch {
        state.hasFailed = true
        throw error as? MartletError ?? .fileNotWritable(name?.url ?? url, underlying: error)
      }
    }
  }

  private func open(_ state: inout State) throws -> OpenFile {
    try name?.check()
    let file = try OpenFile(
      url, options: bytes.lowerBound == 0 ? [.noFollow, .create] : .noFollow,
      permissions: name?.partialPermissions ?? FilePermissions(rawValue: 0o666),
      durability: durability)
    guard try file.size >= bytes.lowerBound else { throw MartletError.partialFileGone(url) }
    state.hasBegun = true
    let isLonger = try file.size > bytes.lowerBound
    try file.truncate(to: bytes.lowerBound)
    // After a loss of power, the new record must not be found together with the old bytes.
    if isLonger { try file.sync() }
    try begin()
    state.file = file
    return file
  }
}
