import ArgumentParser
import Foundation
import EssentialFoundation
import HTTPTypes
import MartletCore
import MartletTesting
import Testing

@testable import MartletTool

/// `--cache` and `martlet cache`.
@Suite(.timeLimit(.minutes(5)))
struct CacheTests {
  private let server: LoopbackServer

  init() async throws {
    let count = Locked(0)
    var router = ServerRouter.httpbin()
    router.routes += [
      .get("/large") { _ in
        var response = ServerResponse.text(String(repeating: "x", count: 100_000))
        response.headers[.cacheControl] = "max-age=60"
        return response
      },
      .get("/stale") { _ in
        let number = count.withLock { count in
          count += 1
          return count
        }
        var response = ServerResponse.text("\(number)")
        response.headers[.cacheControl] =
          number == 1 ? "max-age=0, stale-while-revalidate=60" : "max-age=60"
        return response
      },
    ]
    server = try await .start(router: router)
  }

  private func url(_ path: String) -> String { server.url(path).absoluteString }

  @Test func `a second run answers from the cache`() async throws {
    let run = try await ToolRun(
      script: """
        "$MARTLET" --cache=birds "\(url("/cache/60"))" > first
        "$MARTLET" --cache=birds --verbose "\(url("/cache/60"))" > second
        cmp first second
        """)
    #expect(run.status == 0)
    #expect(run.complaint.contains("* Cache-Status: Martlet; hit; ttl="))
    #expect(server.requestCount == 1)
    await server.stop()
  }

  @Test func `--no-cache requests the response, and stores it`() async throws {
    let run = try await ToolRun(
      script: """
        for option in "" --no-cache --no-cache ""; do
          "$MARTLET" --cache=birds $option "\(url("/cache/60"))" > /dev/null || exit 1
        done
        """)
    #expect(run.status == 0 && run.complaint == "")
    #expect(server.requestCount == 3)
    await server.stop()
  }

  @Test func `--only-if-cached sends nothing`() async throws {
    let run = try await ToolRun(
      script: """
        "$MARTLET" --cache=birds --only-if-cached "\(url("/cache/60"))"
        echo "status $?, $(ls)"
        "$MARTLET" --cache=birds "\(url("/cache/60"))" > /dev/null
        "$MARTLET" --cache=birds --only-if-cached "\(url("/cache/30"))"
        "$MARTLET" --cache=birds --only-if-cached "\(url("/cache/60"))" > /dev/null
        echo "status $?"
        """)
    #expect(run.text == "status 1, \nstatus 0\n")
    #expect(run.complaint.hasPrefix("martlet: There is no cache in “"))
    #expect(
      run.complaint.hasSuffix(": leave out --only-if-cached to request it from the server.\n"))
    #expect(server.requestCount == 1)
    await server.stop()
  }

  @Test func `a download from the cache shows its size`() async throws {
    let run = try await ToolRun(
      script: """
        "$MARTLET" --cache=birds "\(url("/large"))" > /dev/null
        "$MARTLET" --cache=birds --download --output=copy "\(url("/large"))"
        """)
    #expect(run.complaint.contains("Saved 100 kB as copy in "))
    #expect(server.requestCount == 1)
    await server.stop()
  }

  @Test func `a response that is used while it is stale is fresh for the next run`() async throws {
    let page = url("/stale")
    let run = try await ToolRun(
      script: """
        for option in "" "" --only-if-cached; do "$MARTLET" --cache=birds $option "\(page)"; done
        """)
    #expect(run.text == "112")
    #expect(server.requestCount == 2)
    await server.stop()
  }

  @Test func `a cache that cannot be used is a warning, and the request goes on`() async throws {
    let run = try await ToolRun(
      script: """
        echo text > file
        "$MARTLET" --cache=file "\(url("/cache/60"))" > /dev/null
        """)
    #expect(run.status == 0)
    #expect(run.complaint.hasPrefix("martlet: warning: The cache “"))
    #expect(run.complaint.hasSuffix(" cannot be used: its directory cannot be created.\n"))
    #expect(run.complaint.split(separator: "\n").count == 1)
    await server.stop()
  }

  @Test(arguments: [
    ["--only-if-cached", ":8080"], ["--cache=x", "--only-if-cached", "--no-cache", ":8080"],
  ])
  func `options that contradict each other are an invalid command line`(arguments: [String])
    async throws
  {
    let run = try await ToolRun(arguments: arguments)
    #expect(run.status == 64)
    #expect(run.complaint.contains("leave out") || run.complaint.contains("add --cache"))
    await server.stop()
  }

  @Test func `--cache alone does not take the next argument for its directory`() throws {
    let arguments = CacheDirectory.separated(["--cache", ":8080/x", "--cache=y", "--", "--cache"])
    let standard = CacheDirectory.standard.path
    #expect(arguments == ["--cache=\(standard)", ":8080/x", "--cache=y", "--", "--cache"])
    let command = try RequestCommand.parse(Array(arguments.prefix(2)))
    #expect(command.words == [":8080/x"] && command.caching.directory == standard)
  }

  @Test func `the cache is listed, shown, verified and cleared`() async throws {
    let page = url("/cache/60")
    let run = try await ToolRun(
      script: """
        "$MARTLET" --cache=birds "\(page)" > /dev/null
        "$MARTLET" --cache=birds "\(url("/cache/30"))" > /dev/null
        "$MARTLET" cache list --cache=birds
        "$MARTLET" cache show --cache=birds "\(page)" | grep -E '^(url|body)|cache-control' -i
        "$MARTLET" cache verify --cache=birds
        "$MARTLET" cache clear --cache=birds "\(page)"
        "$MARTLET" cache show --cache=birds "\(page)"
        "$MARTLET" cache clear --cache=birds
        "$MARTLET" cache list --cache=birds
        """)
    let line = run.text.split(separator: "\n").first {
      $0.hasPrefix("200 ") && $0.hasSuffix(" \(page)")
    }
    #expect(line?.contains("fresh for") == true || line?.contains("stale for") == true)
    #expect(run.text.contains("url        \(page)\n"))
    #expect(run.text.contains("Cache-Control: public, max-age=60\n"))
    #expect(run.complaint.contains("2 responses checked; removed: 0 damaged"))
    #expect(
      run.complaint.contains("1 responses removed\nmartlet: No response is stored for \(page)."))
    #expect(run.complaint.hasSuffix("0 responses, 0 B\n"))
    await server.stop()
  }

  @Test(arguments: [["--cache=", ":8080"], ["cache", "list", "--cache="]])
  func `an empty name is no directory`(arguments: [String]) async throws {
    let run = try await ToolRun(arguments: arguments)
    #expect(run.status == 64)
    #expect(run.complaint.hasPrefix("martlet: --cache= needs the name of a directory"))
    await server.stop()
  }

  @Test func `there is a clear error if there is no cache`() async throws {
    let run = try await ToolRun("cache", "list", "--cache=birds")
    #expect(run.status == 1)
    #expect(run.complaint.hasPrefix("martlet: There is no cache in “"))
    #expect(run.files.isEmpty)
    await server.stop()
  }
}
