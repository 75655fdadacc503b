import Foundation
import Martlet

/// Checks the links of a page, or the URLs of a list, and prints those that are broken.
///
/// Shows batches: thousands of requests, a limited number of them at once, each of which may fail by itself.
@main
struct LinkChecker {
  private static let concurrent = 64

  private let api = HTTPSessionManager { $0.timeouts = Timeouts(.seconds(10), total: .seconds(60)) }

  static func main() async {
    guard CommandLine.arguments.count == 2 else {
      fail(
        "Usage: LinkChecker PAGE-URL | LIST\nA list is a file of URLs, or - for standard input.",
        status: 64)
    }
    let source = CommandLine.arguments[1]
    do {
      let start = ContinuousClock.now
      let checker = LinkChecker()
      let links = try await checker.links(in: source)
      let broken = await checker.broken(links)
      for (link, reason) in broken.sorted(by: { $0.key < $1.key }) { print("\(link): \(reason)") }
      let time = start.duration(to: .now).formatted(.units(allowed: [.seconds], width: .narrow))
      print("\(broken.count) of \(links.count) links are broken (\(time))")
      exit(broken.isEmpty ? 0 : 1)
    } catch {
      fail("\(source): \(error.localizedDescription)")
    }
  }

  /// Returns the links in a page, or the lines of a list.
  private func links(in source: String) async throws -> Set<String> {
    if source.hasPrefix("http://") || source.hasPrefix("https://") {
      let page = try await api.get(source)
      // A pattern finds the links of most pages. A parser of HTML finds those of all.
      let links = try await page.text().matches(of: #/href\s*=\s*["']([^"'#]+)/#.ignoresCase())
        .compactMap { try? URL(escaping: String($0.1), relativeTo: page.url).absoluteString }
      return Set(links.filter { $0.hasPrefix("http") })
    }
    let file =
      source == "-" ? .standardInput : try FileHandle(forReadingFrom: URL(filePath: source))
    let list = String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)
    return Set(list.split(whereSeparator: \.isWhitespace).map { String($0) })
  }

  /// Returns the reasons why links are broken, by link.
  private func broken(_ links: Set<String>) async -> [String: String] {
    var reasons: [String: String] = [:]
    var requests: [Request] = []
    for link in links {
      do {
        var request = try Request(.head, link)
        request.delivery = .discard
        requests.append(request)
      } catch {
        reasons[link] = error.message
      }
    }
    while !requests.isEmpty {
      var refused: [Request] = []
      for await outcome in api.send(requests, maximumConcurrent: Self.concurrent) {
        var request = outcome.request
        do {
          let response = try outcome.response
          if request.method == .head, [405, 501].contains(response.status.code) {
            // Not every server allows HEAD.
            request.method = .get
            refused.append(request)
          } else {
            try response.validate()
          }
        } catch {
          reasons[request.url.absoluteString] = error.localizedDescription
        }
      }
      requests = refused
    }
    return reasons
  }

  private static func fail(_ message: String, status: Int32 = 1) -> Never {
    FileHandle.standardError.write(Data("\(message)\n".utf8))
    exit(status)
  }
}
