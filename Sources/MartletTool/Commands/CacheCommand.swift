import ArgumentParser
import EssentialFoundation
import MartletDiskCache
import MartletEssentials
import MartletCore

/// `martlet cache`
struct CacheCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cache",
    abstract: "List, show, verify and clear the responses that --cache stores.",
    discussion: """
      EXAMPLES
        martlet --cache https://example.com/
        martlet cache list
        martlet cache show https://example.com/
        martlet cache clear https://example.com/
        martlet cache verify --cache=birds
      """,
    subcommands: [List.self, Show.self, Verify.self, Clear.self])

  /// The cache that a subcommand uses.
  struct Directory: ParsableArguments {
    @Option(
      name: .customLong("cache"),
      help: ArgumentHelp(
        "The directory of the cache. The default is “martlet” in the user's directory for caches.",
        valueName: "directory"))
    var name: String?

    /// Runs a subcommand.
    ///
    /// - Throws: `ExitCode` if it fails; also when there is no cache.
    func run(_ body: (DiskResponseCache) async throws -> ExitStatus) async throws {
      try await Report.run {
        let directory =
          name.map { URL(fileURLWithPath: $0, isDirectory: true) } ?? CacheDirectory.standard
        let cache = DiskResponseCache(directory: directory)
        guard cache.exists else { throw ToolFailure.noCache(in: directory) }
        return try await body(cache)
      }
    }
  }

  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "List the stored responses: status, size, freshness and URL.")

    @OptionGroup var directory: Directory

    func run() async throws {
      try await directory.run { cache in
        try await cache.forEach { try OutputHandle.output.write(CacheText.line($0) + "\n") }
        let (count, size) = try await (cache.count, cache.size)
        OutputHandle.error.writeLine(
          "\(count) responses, \(ByteCount.text(size))")
        return .success
      }
    }
  }

  struct Show: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Show the stored responses of a URL, without their bodies.",
      discussion: "To print the body, request the URL with --cache --only-if-cached.")

    @Argument(help: ArgumentHelp("The URL, as the list shows it.", valueName: "URL"))
    var url: String

    @OptionGroup var directory: Directory

    func run() async throws {
      try await directory.run { cache in
        let keys = CacheText.keys(url)
        var count = 0
        try await cache.forEach { entry in
          guard keys.contains(entry.key.url) else { return }
          let lines = CacheText.lines(entry, palette: OutputHandle.output.palette)
          try OutputHandle.output.write(
            (count > 0 ? "\n" : "") + lines.joined(separator: "\n") + "\n")
          count += 1
        }
        guard count > 0 else { throw ToolFailure("No response is stored for \(url.masked).") }
        return .success
      }
    }
  }

  struct Verify: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Check each response against its checksum, and remove the damaged ones.",
      discussion: "Exits with 1 when a response was damaged.")

    @OptionGroup var directory: Directory

    func run() async throws {
      try await directory.run { cache in
        let found = try await cache.verify()
        for url in found.damaged {
          try OutputHandle.output.write("damaged  \(url.escapingControlCharacters)\n")
        }
        OutputHandle.error.writeLine(
          "\(found.checked) responses checked; removed: \(found.damaged.count) damaged, \(found.orphans) files without a response"
        )
        return found.damaged.isEmpty ? .success : .failure
      }
    }
  }

  struct Clear: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Remove all responses, or those of a URL.")

    @Argument(help: ArgumentHelp("The URL. The default is all.", valueName: "URL"))
    var url: String?

    @OptionGroup var directory: Directory

    func run() async throws {
      try await directory.run { cache in
        let count = try await cache.count
        if let url {
          for url in CacheText.keys(url) { try await cache.remove(url: url) }
        } else {
          try await cache.removeAll()
        }
        OutputHandle.error.writeLine("\(max(0, count - (try await cache.count))) responses removed")
        return .success
      }
    }
  }
}

/// Stored responses as text. Characters that control a terminal are escaped.
enum CacheText {
  /// The keys that the user may mean: the text as it is, and as a URL, also in the short form of the request command.
  static func keys(_ text: String) -> Set<String> {
    guard let request = try? Request(.get, URLShorthand.expand(text)) else { return [text] }
    return [text, CacheKey(request).url]
  }

  /// `200  1.2 kB  fresh for 3 min 2 s  https://example.com/`
  static func line(_ entry: DiskResponseCache.Entry) -> String {
    [
      "\(entry.record.head.status.code)",
      ByteCount.text(entry.bodyLength).padded(to: 7, atFront: true),
      freshness(entry).padded(to: 22), entry.key.url.escapingControlCharacters,
    ].joined(separator: "  ")
  }

  /// What is known about a response, and its head.
  static func lines(_ entry: DiskResponseCache.Entry, palette: Palette) -> [String] {
    var lines = [
      "url        \(entry.key.url.escapingControlCharacters)",
      "received   \(entry.record.responseTime.formatted(.iso8601)), \(freshness(entry))",
      "last use   \(entry.lastUse.formatted(.iso8601))",
      "body       \(part(entry))",
    ]
    if entry.key.credentialsDigest != nil {
      lines.append("for        a request with credentials, or TLS options of its own")
    }
    for (name, values) in entry.record.varyHeaders.sorted(by: { $0.key.rawName < $1.key.rawName }) {
      let text = values.isEmpty ? "none" : values.joined(separator: ", ").escapingControlCharacters
      lines.append("for        \(name.rawName): \(text)")
    }
    return lines + [""] + ResponseText.lines(entry.record.head, version: nil, palette: palette)
  }

  private static func part(_ entry: DiskResponseCache.Entry) -> String {
    guard let part = entry.record.part else { return ByteCount.text(entry.bodyLength) }
    let total = part.total.map { "\($0)" } ?? "*"
    return "bytes \(part.bytes.lowerBound)-\(part.bytes.upperBound - 1)/\(total)"
  }

  private static func freshness(_ entry: DiskResponseCache.Entry) -> String {
    let seconds = entry.record.timeToLive(at: Date())
    let text = Duration.seconds(abs(seconds)).brief
    return seconds > 0 ? "fresh for \(text)" : "stale for \(text)"
  }
}
