import Foundation
import Martlet

/// Checks services over HTTPS: the status, the time, the certificate, and the pinned keys.
///
/// Shows a security policy with pins, root certificates in a file, and what an error tells about a certificate.
@main
struct HealthChecker {
  static func main() async {
    let arguments = CommandLine.arguments
    guard (2...3).contains(arguments.count) else {
      fail(
        """
        Usage: HealthChecker SERVICES [ROOTS]
        SERVICES is a file. Each line is a URL, followed by the pins of its keys, if any.
        ROOTS is a file of root certificates, in place of those of the system.
        """, status: 64)
    }
    do {
      let list = try String(contentsOf: URL(filePath: arguments[1]), encoding: .utf8)
      let services = try list.split(whereSeparator: \.isNewline).map { try Service(line: $0) }
      let roots = arguments.count == 3 ? URL(filePath: arguments[2]) : nil
      let reports = await check(services, roots: roots)
      for report in reports { print(report.text) }
      exit(reports.allSatisfy(\.isHealthy) ? 0 : 1)
    } catch {
      fail("\(arguments[1]): \(error.localizedDescription)")
    }
  }

  /// Checks all services at the same time, and returns the reports in the order of the services.
  private static func check(_ services: [Service], roots: URL?) async -> [Service.Report] {
    await withTaskGroup(of: (Int, Service.Report).self) { group in
      for (index, service) in services.enumerated() {
        group.addTask { (index, await service.check(roots: roots)) }
      }
      return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }.sorted { $0.key < $1.key }
        .map(\.value)
    }
  }

  private static func fail(_ message: String, status: Int32 = 1) -> Never {
    FileHandle.standardError.write(Data("\(message)\n".utf8))
    exit(status)
  }
}
