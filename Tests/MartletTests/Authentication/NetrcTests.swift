import Foundation
import Martlet
import MartletTesting
import Testing

/// The passwords of a netrc file.
@Suite(.timeLimit(.minutes(5)))
struct NetrcTests {
  private static let file = #"""
    # a comment machine x login y
    machine example.com login ada password secret
    machine multi.example
      login bob
      account ignored
      password "with \"quotes\" and \\ and blanks"
    macdef init
    machine in.a.macro login nobody
    bin

    machine Upper.Example login carol
    machine nologin.example password p
    machine example.com login second password second
    machine hash.example login dan password #1
    default login anonymous password guest@example.com
    """#

  @Test(arguments: [
    ("example.com", Credential.password(user: "ada", password: "secret")),
    ("EXAMPLE.com", .password(user: "ada", password: "secret")),
    ("multi.example", .password(user: "bob", password: #"with "quotes" and \ and blanks"#)),
    ("upper.example", .password(user: "carol", password: "")),
    ("hash.example", .password(user: "dan", password: "#1")),
    ("nologin.example", nil),
    ("in.a.macro", .password(user: "anonymous", password: "guest@example.com")),
    ("elsewhere.example", .password(user: "anonymous", password: "guest@example.com")),
  ])
  func `a host finds its entry`(host: String, credential: Credential?) throws {
    #expect(try Netrc(Self.file).credential(for: host) == credential)
  }

  @Test func `without a default, other hosts have no credential`() throws {
    #expect(try Netrc("machine a login b password c").credential(for: "x") == nil)
    #expect(try Netrc("").credential(for: "x") == nil)
  }

  @Test(arguments: [
    ("\nlogin ada", 2, "“login” comes before the first “machine”"),
    ("machine", 1, "nothing follows “machine”"),
    ("machine a\nlogin a password", 2, "nothing follows “password”"),
    ("machine a login \"b\nc", 1, "a quotation mark is not closed"),
    ("machine a login b\npassword \"", 2, "a quotation mark is not closed"),
    ("machine a login b password \"c\\\"", 1, "a quotation mark is not closed"),
    ("machine a\n\npasswort x", 3, "it has an unknown word where a keyword is expected"),
  ])
  func `what cannot be understood is named with its line`(text: String, line: Int, what: String) {
    let error = #expect(throws: MartletError.self) { try Netrc(text) }
    #expect(error?.code == .invalidNetrc)
    #expect(
      error?.message == "Line \(line) of the netrc file cannot be understood: \(what).")
  }

  @Test func `a file that is not there is an error`() throws {
    let folder = try TemporaryFolder()
    let url = folder.url.appendingPathComponent("netrc")
    let error = #expect(throws: MartletError.self) { try Netrc(contentsOf: url) }
    #expect(
      error?.message
        == "“\(url.path)” cannot be read: check that it is there and may be read.")
  }

  @Test func `the standard place is what the environment says, or the home directory`() {
    #expect(Netrc.standardLocation(environment: ["NETRC": "/x/y"]).path == "/x/y")
    #expect(Netrc.standardLocation(environment: [:]).lastPathComponent == ".netrc")
  }

  @Test func `a credential of the file is sent, unless the store has one`() async throws {
    let server = try await GuardedServer("Basic realm=r") { $0 == "Basic YWRhOnNlY3JldA==" }
    let store = CredentialStore(netrc: try Netrc("machine 127.0.0.1 login ada password secret"))
    var configuration = SessionConfiguration()
    configuration.authentication.credentials = store
    let session = URLSessionManager(configuration: configuration)
    #expect(try await session.send(Request(url: server.url())).status == .ok)
    try store.set(.password(user: "eve", password: "x"), for: server.url())
    let origin = try Origin(of: server.url())
    #expect(
      store.credential(for: ProtectionSpace(origin: origin))
        == .password(user: "eve", password: "x"))
    store.removeAll()
    #expect(store.credential(for: ProtectionSpace(origin: origin)) == nil)
  }

  @Test func `it is printed without its password`() throws {
    let netrc = try Netrc("machine a login canary password canary")
    var shown = "\(netrc) \(String(reflecting: netrc))"
    dump(netrc, to: &shown)
    #expect(!shown.contains("canary") && shown.contains("Netrc of 1 machines"))
  }
}
