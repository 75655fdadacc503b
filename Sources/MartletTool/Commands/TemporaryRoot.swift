import Foundation
import MartletTesting

/// An authority made for one run, with its root in a file for `--cacert`.
struct TemporaryRoot {
  let file: URL
  let serverTLS: ServerTLS

  init() throws {
    let authority = try TemporaryAuthority(commonName: "Martlet Temporary Root")
    serverTLS = ServerTLS(try authority.leaf())
    file = FileManager.default.temporaryDirectory.appending(
      path: "martlet-root-\(UUID().uuidString.prefix(8)).pem")
    try authority.writePEM(to: file)
  }

  func remove() {
    try? FileManager.default.removeItem(at: file)
  }
}
