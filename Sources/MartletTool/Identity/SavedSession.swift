import HTTPTypes
import MartletEssentials
import MartletCore

/// What `--session` keeps, from before the requests of a run until after them.
final class SavedSession {
  private let file: SessionFile
  /// What the file held.
  private let known: SessionContents
  private var contents: SessionContents
  private let jar = CookieJar()

  /// - Throws: `ToolFailure` when something else is at the path.
  init(path: String) throws(ToolFailure) {
    file = SessionFile(path: path)
    known = try file.read()
    contents = known
    // A cookie that no server could set any more is forgotten.
    for cookie in known.cookies { try? jar.set(cookie) }
  }

  /// Gives a request what is kept for its server, as far as the command line says nothing else, and keeps what that
  /// says.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - described: What the command line says of it.
  ///   - credential: Who is there, as the command line has it.
  /// - Returns: Who is there in the end.
  /// - Throws: `MartletError` when a header cannot be sent, or the URL names no server.
  func prepare(
    _ request: inout Request, _ described: CommandLineRequest, _ credential: CommandLineCredential?
  ) throws -> CommandLineCredential? {
    let origin = try request.origin
    let own = try described.ownHeaders()
    var server = contents[origin]
    // Of who is there, one is said at a time.
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

  /// Has a session send the cookies that are kept, and keep those that it gets.
  func apply(to configuration: inout SessionConfiguration) {
    configuration.cookieJar = jar
  }

  /// Finds out whether the file can be written, before anything is sent.
  ///
  /// - Throws: `ToolFailure` when it cannot.
  func checkWritable() throws(ToolFailure) { try file.checkWritable() }

  /// Keeps it all.
  ///
  /// - Throws: `ToolFailure` when the file cannot be written.
  func save() throws(ToolFailure) {
    contents.cookies = jar.cookies
    try file.save(contents, since: known)
  }
}
