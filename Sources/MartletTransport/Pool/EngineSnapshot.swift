public import MartletCore

/// What an engine has and does at one moment: its connections to each server, and the requests that wait for one.
///
///     print(await session.snapshot() ?? "a custom transport")
///
///     https://api.example.com: 2 of at most 64 connections, 1 being made, 3 requests waiting
///       h2 to 192.0.2.7:443, TLSv1.3: 12 of at most 100 requests, open for 95 s
///       h2 to 192.0.2.7:443, TLSv1.3: idle for 4 s, open for 20 s
public struct EngineSnapshot: Sendable {
  /// The servers that the engine is connected to, or that requests wait for, in the order of their names.
  public let servers: [Server]

  /// The connections and the waiting requests of one server.
  public struct Server: Sendable {
    /// The server.
    public let origin: Origin
    /// The open connections, the oldest first.
    public let connections: [Connection]
    /// The number of connections that are being made.
    public let connectingCount: Int
    /// The number of requests that wait for a connection.
    public let waitingCount: Int
    /// The number of requests that wait because their call is suspended.
    public let suspendedCount: Int
    /// The most connections that take requests.
    public let maximumConnections: Int
    /// Whether new requests use other connections, because the trust policy has changed.
    public let isRetired: Bool
  }

  /// An open connection.
  public struct Connection: Sendable {
    /// What a connection does.
    public enum State: Hashable, Sendable {
      /// It carries no request.
      case idle(for: Duration)
      /// It carries requests.
      case active
      /// It carries the last of its requests, and closes after them.
      case closing
    }

    /// How it was made: its protocol, addresses, TLS version and durations.
    public let info: ConnectionInfo
    /// What it does.
    public let state: State
    /// The time since it was opened.
    public let age: Duration
    /// The number of requests that it carries.
    public let requestCount: Int
    /// The most requests that it carries at once, as far as the server has announced it.
    public let maximumRequests: Int
  }
}

extension EngineSnapshot: CustomStringConvertible {
  /// The snapshot as text: a line for each server, and below it one for each connection.
  public var description: String {
    servers.isEmpty ? "no connections" : servers.map(\.description).joined(separator: "\n")
  }
}

extension EngineSnapshot.Server: CustomStringConvertible {
  /// The server as text, with a line for each connection.
  public var description: String {
    var parts = ["\(connections.count) of at most \(Self.count(maximumConnections, "connection"))"]
    if connectingCount > 0 { parts.append("\(connectingCount) being made") }
    if waitingCount > 0 { parts.append("\(Self.count(waitingCount, "request")) waiting") }
    if suspendedCount > 0 { parts.append("\(Self.count(suspendedCount, "request")) suspended") }
    if isRetired { parts.append("for no new requests") }
    let head = "\(origin): \(parts.joined(separator: ", "))"
    return ([head] + connections.map { "  \($0)" }).joined(separator: "\n")
  }

  fileprivate static func count(_ number: Int, _ noun: String) -> String {
    "\(number) \(noun)\(number == 1 ? "" : "s")"
  }
}

extension EngineSnapshot.Connection: CustomStringConvertible {
  /// The connection as text, such as `http/1.1 to 127.0.0.1:80: idle for 4 s, open for 20 s`.
  public var description: String {
    let address = info.remoteAddress.map { " to \($0)" } ?? ""
    let tls = info.tlsVersion.map { ", \($0)" } ?? ""
    let load = EngineSnapshot.Server.count(maximumRequests, "request")
    let state =
      switch state {
      case .idle(let time): "idle for \(time.text)"
      case .active: "\(requestCount) of at most \(load)"
      case .closing: "closing after \(EngineSnapshot.Server.count(requestCount, "request"))"
      }
    return "\(info.protocolName)\(address)\(tls): \(state), open for \(age.text)"
  }
}
