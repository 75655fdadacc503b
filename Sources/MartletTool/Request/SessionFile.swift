import Foundation
import HTTPTypes
import Martlet
import MartletCore
import MartletTransport

/// What is kept from one run of the tool to the next: cookies, and for each server its headers and who is there.
///
/// A file of JSON for its owner's eyes. What was kept for one server is never shown to another.
struct SessionFile {
  /// What is kept for one server.
  struct Server: Codable, Equatable {
    /// Names and values, in order.
    var headers: [[String]] = []
    var identity: Identity?
  }

  private struct Contents: Codable {
    /// Tells the file from others.
    var martletSession = 1
    var servers: [String: Server] = [:]
    var cookies: [Cookie] = []
  }

  let url: URL
  private var contents: Contents

  /// The file at a path, or a new one if nothing is there.
  ///
  /// - Throws: `ToolFailure` when something else is there.
  init(path: String) throws(ToolFailure) {
    url = URL(fileURLWithPath: path)
    guard FileManager.default.fileExists(atPath: url.path) else {
      contents = Contents()
      return
    }
    do {
      contents = try JSONDecoder().decode(Contents.self, from: Data(contentsOf: url))
    } catch is DecodingError {
      throw ToolFailure(
        "“\(path.masked)” is no session of martlet: move it away, or give --session another name.")
    } catch {
      throw ToolFailure("“\(path.masked)” cannot be read: check that it may be.")
    }
  }

  /// The jar to send requests with.
  func jar() -> CookieJar {
    let jar = CookieJar()
    // A cookie that no server could set any more is forgotten.
    for cookie in contents.cookies { try? jar.set(cookie) }
    return jar
  }

  /// What is kept for a server.
  subscript(origin: Origin) -> Server {
    get { contents.servers[origin.description] ?? Server() }
    set { contents.servers[origin.description] = newValue == Server() ? nil : newValue }
  }

  /// Writes the file, with the cookies of a jar, in one step.
  ///
  /// - Throws: `ToolFailure` when it cannot be written.
  mutating func save(_ jar: CookieJar) throws(ToolFailure) {
    contents.cookies = jar.cookies
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let new = url.partialBeside
    defer { unlink(new.path) }
    do {
      try OpenFile.replace(
        url, with: encoder.encode(contents) + Data("\n".utf8), through: new)
    } catch {
      throw ToolFailure(
        "“\(url.path.masked)” could not be written: check that its directory exists, may be written to and has room."
      )
    }
  }
}

extension SessionFile.Server {
  /// Keeps headers in place of those with the same names, but for those that are about one request alone.
  mutating func keep(_ fields: HTTPFields) {
    for field in fields where !field.name.isFleeting {
      let name = field.name.rawName
      removeHeader(name)
      headers.append([name, field.value])
    }
  }

  mutating func removeHeader(_ name: String) {
    headers.removeAll { $0.first?.lowercased() == name.lowercased() }
  }

  /// The headers for a request.
  ///
  /// - Throws: `MartletError` when somebody has written what no header can hold.
  func fields() throws(MartletError) -> HTTPFields {
    var fields = HTTPFields()
    for pair in headers where pair.count == 2 { try fields.append(name: pair[0], value: pair[1]) }
    return fields
  }
}

extension HTTPField.Name {
  /// Whether a header says something of one request that is not so of the next.
  fileprivate var isFleeting: Bool {
    switch canonicalName {
    case "cookie", "host", "range", "transfer-encoding": true
    default: canonicalName.hasPrefix("content-") || canonicalName.hasPrefix("if-")
    }
  }
}
