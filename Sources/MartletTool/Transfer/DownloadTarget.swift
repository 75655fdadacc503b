import Foundation
import Martlet

/// Where a download goes, decided when the head of its response is in.
///
/// Only a success makes a file. A name that the command line does not give never replaces a file.
final class DownloadTarget: Sendable {
  private let path: String?
  private let url: URL
  private let failure = Locked<ToolFailure?>(nil)

  /// - Parameters:
  ///   - path: What the command line says, if anything.
  ///   - url: The URL asked for. Redirects have no say in the name.
  init(path: String?, url: URL) {
    self.path = path
    self.url = url
  }

  /// Writes a success to its file.
  var delivery: Delivery {
    Delivery { [self] head in choice(for: head) }
  }

  private func choice(for head: ResponseHead) -> Delivery.Choice {
    guard (200..<300).contains(head.status.code) else { return .discard }
    do throws(ToolFailure) {
      return .file(FileDelivery(url: try file(for: head), replacesExisting: path != nil))
    } catch {
      failure.withLock { $0 = error }
      return .discard
    }
  }

  private func file(for head: ResponseHead) throws(ToolFailure) -> URL {
    if let path { return URL(fileURLWithPath: path).resolvingSymlinksInPath() }
    let name = try DownloadName.choose(head, url: url)
    let unused = DownloadName.unused(name) { FileManager.default.fileExists(atPath: $0) }
    return URL(fileURLWithPath: unused)
  }

  /// The file that was written.
  ///
  /// - Throws: `ToolFailure` when there is none.
  func file(of response: Response) throws(ToolFailure) -> URL {
    if let failure = failure.current { throw failure }
    guard let file = response.body.file else {
      let status = ExitStatus(checking: response.status.code, followsRedirects: false)
      throw ToolFailure(
        "The server answered \(ResponseText.status(response.head)): nothing was saved.",
        status: status == .success ? .failure : status)
    }
    return file
  }
}
