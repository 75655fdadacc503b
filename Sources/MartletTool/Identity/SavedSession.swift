import HTTPTypes
import MartletEssentials
import MartletCore

/// The session of `--session` during one run: read before the requests, and saved after them.
final class SavedSession {
  private let file: SessionFile
  /// The contents of the file when it was read.
  private let known: SessionContents
  private var contents: SessionContents
  private let jar = CookieJar()

  /// - Throws: `ToolFailure` when a file exists that cannot be read, or is not a session file of this version.
  init(path: String) throws(ToolFailure) {
    file = SessionFile(path: path)
    known = try file.read()
    contents = known
    // Cookies that the jar rejects are dropped.
    for cookie in known.cookies { try? jar.set(cookie) }
  }

  /// Adds the saved headers of the server to a request, and chooses the credential.
  ///
  /// Headers and a credential of the command line take precedence, and are saved with the session.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - described: The same request as the command line describes it.
  ///   - credential: The credential of the command line, if any.
  /// - Returns: The credential to use, if any.
  /// - Throws: `MartletError` when a header cannot be sent, or the URL has no host.
  func prepare(
    _ request: inout Request, _ described: CommandLineRequest, _ credential: CommandLineCredential?
  ) throws -> CommandLineCredential? {
    let origin = try request.origin
    let own = try described.ownHeaders()
    var server = contents[origin]
    // A new credential replaces a saved `Authorization` header, and a new header replaces a saved credential.
    if credential != nil { server.removeHeaders("authorization") }
    if own.contains(.authorization) { server.identity = nil }
    let kept = try server.fields().filter {
      !own.contains($0.name) && !described.removes($0.name)
    }
    for field in kept { request.headers[field.name] = nil }
    request.headers.append(contentsOf: kept)
    server.keep(own)
    server.identity = credential ?? server.identity
    contents[origin] = server
    return server.identity
  }

  /// Makes a session send the saved cookies and store new ones.
  func apply(to configuration: inout SessionConfiguration) {
    configuration.cookieJar = jar
  }

  /// Checks that the file can be written, before any request is sent.
  ///
  /// - Throws: `ToolFailure` when it cannot be written.
  func checkWritable() throws(ToolFailure) { try file.checkWritable() }

  /// Saves the session to the file.
  ///
  /// - Throws: `ToolFailure` when the file cannot be written.
  func save() throws(ToolFailure) {
    contents.cookies = jar.cookies
    try file.save(contents, since: known)
  }
}
