import EssentialFoundation
import MartletCore
import NIOCore
import NIOPosix

/// Connects to the address of a host that answers first.
///
/// The addresses are tried in order. The next attempt starts when one has failed, or when the last one has not been
/// answered within 250 ms. When one attempt succeeds, the others are closed (RFC 8305 §5).
struct AddressRace: Sendable {
  let loop: any EventLoop
  let report: @Sendable (CallEvent.Kind) -> Void
  var attemptDelay: Duration = .milliseconds(250)

  private enum Step: Sendable {
    case attempted(Result<any Channel, any Error>)
    case delayElapsed(attempt: Int)
  }

  /// - Throws: The error of the attempt that failed last, when all attempts have failed.
  func run(_ addresses: [SocketAddress]) async throws -> any Channel {
    // A single address needs no race. A task would cost two kilobytes.
    if let address = addresses.first, addresses.count == 1 {
      return try await attempt(address).get()
    }
    return try await race(addresses).get()
  }

  @inline(never)
  private func race(_ addresses: [SocketAddress]) async -> Result<any Channel, any Error> {
    // Not inlined, because its variables would be in the frame of each caller, even for a single address.
    await withTaskGroup(of: Step.self) { group in
      var rest = addresses[...]
      var open = 0
      var attempts = 0
      var lastError: any Error = ChannelError.connectPending

      func tryNext() {
        guard let address = rest.popFirst() else { return }
        open += 1
        attempts += 1
        let attempt = attempts
        group.addTask { .attempted(await self.attempt(address)) }
        guard !rest.isEmpty else { return }
        group.addTask {
          try? await loop.sleep(for: attemptDelay)
          return .delayElapsed(attempt: attempt)
        }
      }

      tryNext()
      while open > 0, let step = await group.next() {
        switch step {
        case .attempted(.success(let channel)):
          group.cancelAll()
          await closeOthers(&group)
          return .success(channel)
        case .delayElapsed(let attempt): if attempt == attempts { tryNext() }
        case .attempted(.failure(let error)):
          lastError = error
          open -= 1
          tryNext()
        }
      }
      // Only delays are left in the group, and no address is left to try.
      group.cancelAll()
      return .failure(lastError)
    }
  }

  /// Closes the connections that are not needed: two addresses may answer at the same moment.
  private func closeOthers(_ group: inout TaskGroup<Step>) async {
    for await step in group {
      if case .attempted(.success(let channel)) = step { channel.close(promise: nil) }
    }
  }

  private func attempt(_ address: SocketAddress) async -> Result<any Channel, any Error> {
    // An attempt that is cancelled before it begins is not reported.
    guard !Task.isCancelled else { return .failure(CancellationError()) }
    report(.connecting(address: address.text))
    let attempt = Attempt()
    return await withTaskCancellationHandler {
      do {
        let channel = try await connect(to: address, attempt).get()
        guard !Task.isCancelled else { throw CancellationError() }
        attempt.succeeded()
        report(.connected(address: address.text))
        return .success(channel)
      } catch {
        attempt.cancel()
        return .failure(error)
      }
    } onCancel: {
      attempt.cancel()
    }
  }

  @inline(never)
  private func connect(to address: SocketAddress, _ attempt: Attempt) -> EventLoopFuture<
    any Channel
  > {
    // Not inlined, because its variables would be in the frame of the attempt while that waits.
    ClientBootstrap(group: loop)
      .channelOption(.tcpOption(.tcp_nodelay), value: 1)
      .channelOption(.recvAllocator, value: ReadBuffers.adaptive)
      .connectTimeout(.hours(24))
      .channelInitializer { channel in
        channel.closeOnExec()
        return attempt.began(channel).flatMapThrowing {
          try channel.pipeline.syncOperations.addHandler(InboundBufferHandler())
        }
      }
      .connect(to: address)
  }
}

/// The channel of one attempt, which is closed if the attempt fails or is cancelled before it succeeds.
private final class Attempt: Sendable {
  private enum State {
    case waiting
    case began(any Channel)
    case over
  }

  private let state = Locked(State.waiting)

  func began(_ channel: any Channel) -> EventLoopFuture<Void> {
    let isWanted = state.withLock { state in
      guard case .waiting = state else { return false }
      state = .began(channel)
      return true
    }
    guard isWanted else { return channel.eventLoop.makeFailedFuture(CancellationError()) }
    return channel.eventLoop.makeSucceededVoidFuture()
  }

  func succeeded() {
    state.withLock { $0 = .over }
  }

  func cancel() {
    let channel: (any Channel)? = state.withLock { state in
      defer { state = .over }
      guard case .began(let channel) = state else { return nil }
      return channel
    }
    channel?.close(promise: nil)
  }
}

extension SocketAddress {
  /// The address as `127.0.0.1:80`, `[::1]:80`, or the path of a socket.
  var text: String {
    if let path = pathname, !path.isEmpty { return path }
    guard let address = ipAddress, let port else { return description }
    return address.contains(":") ? "[\(address)]:\(port)" : "\(address):\(port)"
  }
}
