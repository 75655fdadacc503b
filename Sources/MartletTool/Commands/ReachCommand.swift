import ArgumentParser
import EssentialFoundation
import MartletEssentials
import MartletCore

/// `martlet reach [HOST]`
struct ReachCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reach",
    abstract: "Watch whether the network, or a host, can be reached, until Ctrl-C.",
    discussion: """
      Prints how the network or the host can be reached, and each change with its time. The addresses of a host name \
      are looked up. Apart from that, the result depends on the links, addresses and routes of this machine only. \
      Nothing is sent to the host, so a reachable host may still not respond.

      With --once, exits with 0 when the network or the host can be reached, and with 1 when it cannot.

      EXAMPLES
        martlet reach
        martlet reach --once example.com && martlet https://example.com/
        martlet reach 192.0.2.7
      """)

  @Argument(
    help: ArgumentHelp(
      "A host name, an address, or a URL. The default is the network of the default route.",
      valueName: "HOST"))
  var host: String?

  @Flag(name: .long, help: "Print the current state, and exit.")
  var once = false

  func run() async throws {
    try await Report.run {
      let manager =
        try host.map { NetworkReachabilityManager(host: try Self.name(in: $0)) }
        ?? NetworkReachabilityManager()
      guard manager.startMonitoring() else {
        throw ToolFailure("The system does not report the state of its network.")
      }
      return try await once ? printStatus(manager) : watch(manager)
    }
  }

  /// The host in a name, an address or a URL.
  ///
  /// - Throws: `ToolFailure` when there is no host.
  static func name(in text: String) throws(ToolFailure) -> String {
    // An IPv6 address without brackets cannot be a part of a URL.
    if text.filter({ $0 == ":" }).count > 1, !text.contains("/"), !text.contains("[") {
      return text
    }
    guard let url = try? URL(escaping: URLShorthand.expand(text)), let origin = try? Origin(of: url)
    else {
      throw .usage("“\(text.masked)” is no host: write a name, an address, or a URL.")
    }
    return origin.host
  }

  private func printStatus(_ manager: NetworkReachabilityManager) async throws -> ExitStatus {
    for await status in manager.statusUpdates where status != .unknown {
      try show(status, of: manager)
      return status.isReachable ? .success : .failure
    }
    return .failure
  }

  private func watch(_ manager: NetworkReachabilityManager) async throws -> ExitStatus {
    try await Signals.withFirst { signal in
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask {
          for await status in manager.statusUpdates where status != .unknown {
            try show(status, of: manager)
          }
        }
        group.addTask { await signal.wait() }
        try await group.next()
        group.cancelAll()
      }
    }
    return .success
  }

  private func show(
    _ status: NetworkReachabilityStatus, of manager: NetworkReachabilityManager
  ) throws {
    let line = ReachabilityLine(status: status, interface: manager.interface, time: Date())
    try OutputHandle.output.write(line.text + "\n")
  }
}

/// A reachability status as an output line.
///
///     2026-01-31T12:00:00.250Z Reachable via eth0 (wired)
struct ReachabilityLine {
  let status: NetworkReachabilityStatus
  let interface: NetworkInterface?
  let time: Date

  var text: String {
    let stamp = time.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    return "\(stamp) \(status.localizedDescription(through: interface).escapingControlCharacters)"
  }
}
