import ArgumentParser
import EssentialFoundation
import HTTPTypes
import MartletDiskCache
import MartletEssentials

/// The options for the cache on disk.
struct CachingOptions: ParsableArguments {
  @Option(
    name: .customLong("cache"),
    help: ArgumentHelp(
      "Store responses in this directory, and answer from it while they are fresh. --cache alone, without =directory, uses “martlet” in the user's directory for caches.",
      valueName: "directory"))
  var directory: String?

  @Flag(
    name: .customLong("no-cache"),
    help: "Request the response from the server, not from a cache. With --cache, it is stored.")
  var bypassesCache = false

  @Flag(
    name: .customLong("only-if-cached"),
    help: "With --cache, answer from the cache or fail; nothing is sent.")
  var onlyIfCached = false

  func validate() throws {
    if onlyIfCached, directory == nil {
      throw ValidationError("--only-if-cached answers from the cache: add --cache.")
    }
    if onlyIfCached, bypassesCache {
      throw ValidationError(
        "--no-cache does not answer from the cache, and --only-if-cached from nothing else: leave out one of them."
      )
    }
  }

  /// Applies the options to the requests and their configuration.
  ///
  /// - Throws: `ToolFailure` if only the cache may answer, and there is none.
  func apply(to requests: inout [Request], _ configuration: inout SessionConfiguration)
    throws(ToolFailure)
  {
    if let directory {
      let cache = DiskResponseCache(directory: URL(fileURLWithPath: directory, isDirectory: true))
      // Using it would make an empty one.
      guard !onlyIfCached || cache.exists else { throw .noCache(in: cache.directory) }
      configuration.cache = cache
    }
    for index in requests.indices {
      if bypassesCache {
        requests[index].options.cachePolicy = .reloadIgnoringLocalAndRemoteCacheData
      }
      if onlyIfCached { requests[index].headers.append(.onlyIfCached) }
    }
  }
}

/// The directory of the tool's cache.
enum CacheDirectory {
  /// The directory without a name.
  static var standard: URL { DiskResponseCache.directory(named: "martlet") }

  /// Checks that `--cache=` has a directory. The parser would take the next argument for it.
  ///
  /// - Throws: `ToolFailure` if it has none.
  static func check(_ arguments: [String]) throws(ToolFailure) {
    guard !arguments.prefix(while: { $0 != "--" }).contains("--cache=") else {
      throw .usage("--cache= needs the name of a directory: add it, or leave out the equals sign.")
    }
  }

  /// Returns the arguments with the standard directory after `--cache` alone, so that its value is never the next
  /// argument.
  static func separated(_ arguments: [String]) -> [String] {
    // The subcommand of that name has an option with a value.
    guard arguments.first != "cache" else { return arguments }
    let end = arguments.firstIndex(of: "--") ?? arguments.endIndex
    return arguments[..<end].map { $0 == "--cache" ? "--cache=\(standard.path)" : $0 }
      + arguments[end...]
  }
}

extension ToolFailure {
  /// The error of a directory without a cache.
  static func noCache(in directory: URL) -> ToolFailure {
    ToolFailure("There is no cache in “\(directory.path.masked)”.")
  }
}

extension HTTPField {
  fileprivate static let onlyIfCached = HTTPField(name: .cacheControl, value: "only-if-cached")
}
