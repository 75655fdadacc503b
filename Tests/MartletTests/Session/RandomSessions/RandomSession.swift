import EssentialFoundation
import Foundation
import HTTPTypes
import Martlet
import MartletTesting
import NIOCore
import TestTiming
import Testing

/// A session that runs the steps of a program, and what its tasks should have done.
final class RandomSession {
  /// A task, and how it has ended.
  private struct Running {
    let task: SessionTask
    let kind: SessionOperation.Kind
    let size: Int
    /// Where its download goes.
    let file: URL
    let ends: Locked<[MartletError.Code?]>
    /// Whether the policy has checked names, at the beginning and after each change meanwhile.
    var checksNames: Set<Bool>
    var mayBeCancelled = false
  }

  private let session: URLSessionManager
  private let servers: RandomSessionServers
  private let cache = MemoryResponseCache()
  private let folder: URL
  private var running: [Running] = []

  /// Runs a program, lets its tasks end, and checks that nothing is left.
  ///
  /// - Parameters:
  ///   - program: The program.
  ///   - servers: The servers of its tasks.
  /// - Returns: The codes of all errors; `nil` if a task has succeeded.
  /// - Throws: `Violation`, and what the file system throws.
  static func run(
    _ program: [SessionOperation], with servers: RandomSessionServers
  ) async throws -> Set<MartletError.Code?> {
    weak var session: URLSessionManager?
    let ends: [Locked<[MartletError.Code?]>]
    do {
      let random = try RandomSession(servers)
      session = random.session
      try await random.run(program)
      try await random.finish()
      ends = random.running.map(\.ends)
    }
    try await eventually { [weak session] in session == nil }
    guard ends.allSatisfy({ $0.current.count == 1 }) else {
      throw Violation(description: "a task that has ended does not end again")
    }
    return Set(ends.flatMap(\.current))
  }

  private init(_ servers: RandomSessionServers) throws {
    self.servers = servers
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    var configuration = SessionConfiguration()
    configuration.tls.roots = .certificates([servers.authority.root])
    configuration.cache = cache
    // None of the servers is silent: what takes long is the machine.
    configuration.timeouts = Timeouts(.seconds(100))
    session = URLSessionManager(configuration: configuration)
    session.responseSerializer = HTTPResponseSerializer()
    session.completionQueue = .global()
  }

  deinit {
    try? FileManager.default.removeItem(at: folder)
  }

  private func run(_ program: [SessionOperation]) async throws {
    for operation in program {
      switch operation {
      case .begin(let kind, let size): begin(kind, size)
      case .suspend(let number): task(number)?.suspend()
      case .resume(let number): task(number)?.resume()
      case .cancel(let number): cancel(number)
      case .clearCache: cache.removeAll()
      case .changePolicy: changePolicy()
      case .invalidate(let cancelsTasks): invalidate(cancelsTasks)
      case .passTime(let milliseconds): try await Task.sleep(for: .milliseconds(milliseconds))
      }
    }
  }

  // MARK: Steps

  private func begin(_ kind: SessionOperation.Kind, _ size: Int) {
    let file = folder.appendingPathComponent("\(running.count)")
    let ends = Locked<[MartletError.Code?]>([])
    let completion: URLSessionManager.Completion = { _, _, error in
      ends.withLock { $0.append(error?.code) }
    }
    let request = request(kind, size)
    let task =
      switch kind {
      case .data, .cached, .cutShort, .misnamed:
        session.dataTask(with: request, completion: completion)
      case .upload:
        session.uploadTask(with: request, from: Data(count: size), completion: completion)
      case .stream: session.uploadTask(withStreamedRequest: request, completion: completion)
      case .download, .cutShortDownload:
        session.downloadTask(with: request, destination: { _, _ in file }) { _, _, error in
          ends.withLock { $0.append(error?.code) }
        }
      }
    running.append(
      Running(
        task: task, kind: kind, size: size, file: file, ends: ends,
        checksNames: [session.securityPolicy.validatesDomainName]))
    task.resume()
  }

  private func request(_ kind: SessionOperation.Kind, _ size: Int) -> Request {
    switch kind {
    case .data, .download: return Request(url: servers.correct.url("/bytes/\(size)"))
    case .cached: return Request(url: servers.correct.url("/cache/60?\(size % 2)"))
    case .cutShort, .cutShortDownload: return Request(url: servers.faulty.url())
    case .misnamed: return Request(url: servers.misnamed.url("/bytes/\(size)"))
    case .upload: return Request(.post, url: servers.correct.url("/anything"))
    case .stream:
      let body = RequestBody.producer(length: nil) { write in
        for _ in 0..<4 { try await write(ByteBuffer(repeating: 0x78, count: size / 4)) }
      }
      return Request(.post, url: servers.correct.url("/anything"), body: body)
    }
  }

  private func task(_ number: Int) -> SessionTask? {
    running.isEmpty ? nil : running[number % running.count].task
  }

  private func cancel(_ number: Int) {
    guard !running.isEmpty else { return }
    running[number % running.count].mayBeCancelled = true
    task(number)?.cancel()
  }

  private func changePolicy() {
    session.securityPolicy.validatesDomainName.toggle()
    for index in running.indices where running[index].ends.current.isEmpty {
      running[index].checksNames.insert(session.securityPolicy.validatesDomainName)
    }
  }

  private func invalidate(_ cancelsTasks: Bool) {
    for index in running.indices where cancelsTasks { running[index].mayBeCancelled = true }
    session.invalidateSession(cancelingTasks: cancelsTasks, resettingSession: true)
  }

  // MARK: The end

  /// Lets all tasks end, and checks how.
  private func finish() async throws {
    for running in running { running.task.resume() }
    try await eventually(within: .seconds(150)) {
      session.tasks.isEmpty && running.allSatisfy { !$0.ends.current.isEmpty }
    }
    for running in running { try check(running) }
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    let wanted = running.filter { $0.kind.isDownload && $0.task.error == nil }.map(\.file)
    try require(Set(files) == Set(wanted.map(\.lastPathComponent)), "only whole files are left")
    try await checkCache()
    session.invalidateSession(cancelingTasks: true)
  }

  /// Checks that the session still works, and its cache.
  private func checkCache() async throws {
    let request = request(.cached, 1)
    _ = try await session.send(request)
    let isHit = try await session.send(request).cacheStatus?.isHit
    try require(isHit == true, "a response that is stored comes from the cache")
  }

  private func check(_ running: Running) throws {
    let (ends, task) = (running.ends.current, running.task)
    try require(ends.count == 1, "a task ends once", running)
    try require(task.state == .completed, "a task that has ended is completed", running)
    guard let end = ends[0] else { return try checkSuccess(running) }
    let isWanted =
      end == .cancelled && running.mayBeCancelled
      || end == .bodyTruncated && running.kind.isCutShort
      || end == .certificateWrongHost && running.kind == .misnamed
        && running.checksNames.contains(true)
    let error = task.error.map { "\($0), \($0.underlying as Any)" } ?? ""
    try require(isWanted, "an error has a reason: \(error)", running)
  }

  private func checkSuccess(_ running: Running) throws {
    let task = running.task
    try require(!running.kind.isCutShort, "a response that is cut short is an error", running)
    try require(task.response?.status == .ok, "a success has its response", running)
    switch running.kind {
    case .misnamed:
      try require(running.checksNames.contains(false), "a policy is kept", running)
      try require(task.countOfBytesReceived == Int64(running.size), "its bytes count", running)
    case .data:
      let count = task.response?.body.bytes?.readableBytes
      try require(count == running.size, "the body is whole", running)
      try require(task.countOfBytesReceived == Int64(running.size), "its bytes count", running)
    case .download:
      let count = try Data(contentsOf: running.file).count
      try require(count == running.size, "the file is whole", running)
    case .upload:
      try require(task.countOfBytesSent == Int64(running.size), "what is sent counts", running)
    case .stream:
      let count = Int64(running.size / 4 * 4)
      try require(task.countOfBytesSent == count, "what is streamed counts", running)
    case .cached:
      let text = task.response?.body.bytes.map(String.init(buffer:)) ?? ""
      let isOwn = text.contains("/cache/60?\(running.size % 2)\"")
      try require(isOwn, "a cached response is that of its URL: \(text)", running)
    case .cutShort, .cutShortDownload: break
    }
  }

  /// What a task has done against a rule.
  struct Violation: Error, CustomStringConvertible {
    let description: String
  }

  private func require(_ holds: Bool, _ rule: String, _ running: Running? = nil) throws {
    let place = running.map { ", \($0.kind) of \($0.size) bytes: \($0.ends.current)" } ?? ""
    if !holds { throw Violation(description: rule + place) }
  }
}

/// The servers of random sessions: one that is correct, one whose certificate has another name, and one that cuts its responses
/// short.
struct RandomSessionServers: Sendable {
  let authority: TemporaryAuthority
  let correct: LoopbackServer
  let misnamed: LoopbackServer
  let faulty: ScriptedServer

  static func start() async throws -> RandomSessionServers {
    let authority = try TemporaryAuthority()
    let tls = ServerTLS(try authority.leaf())
    let otherTLS = ServerTLS(try authority.leaf(for: ["other.example"]))
    let head = "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n"
    return RandomSessionServers(
      authority: authority, correct: try await LoopbackServer.start(tls: tls),
      misnamed: try await LoopbackServer.start(tls: otherTLS),
      faulty: try await ScriptedServer.start(
        Script([.readRequest, .send(head + "012"), .close]), repeatsLast: true))
  }

  /// Expects that no connection is left, and stops the servers.
  func stop() async throws {
    try await correct.waitForOpenConnections(0)
    try await misnamed.waitForOpenConnections(0)
    try await faulty.waitForConnectionsClosed(faulty.connectionCount)
    await correct.stop()
    await misnamed.stop()
    await faulty.stop()
  }
}
