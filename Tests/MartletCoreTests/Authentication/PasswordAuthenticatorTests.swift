import MartletCore
import NIOCore
import Testing

/// What answers the challenges of one place.
struct PasswordAuthenticatorTests {
  private let authenticator = PasswordAuthenticator(.password(user: "ada", password: "é"))

  @Test func `without a challenge there is no answer`() {
    #expect(field() == nil)
  }

  @Test func `Basic sends name and password in UTF-8`() {
    #expect(authenticator.receiveChallenges([#"Basic realm="r""#], to: nil) == .retry)
    #expect(field() == "Basic YWRhOsOp")
  }

  @Test func `an answer in Basic that comes back is wrong`() {
    #expect(authenticator.receiveChallenges(["Basic"], to: nil) == .retry)
    #expect(authenticator.receiveChallenges(["Basic"], to: field()) == .refused)
  }

  @Test func `the strongest of several challenges is answered`() throws {
    let weak = #"Digest realm="r", nonce="n", algorithm=MD5, qop=auth"#
    let strong = #"Digest realm="r", nonce="n", algorithm=SHA-512-256, qop=auth"#
    let middling = #"Digest realm="r", nonce="n", algorithm=SHA-256, qop=auth"#
    #expect(
      authenticator.receiveChallenges(["Basic realm=r", weak, strong, middling], to: nil) == .retry)
    #expect(try #require(field()).contains("algorithm=SHA-512-256"))
    #expect(authenticator.receiveChallenges(["Negotiate, Basic realm=r"], to: nil) == .retry)
    #expect(try #require(field()).hasPrefix("Basic "))
  }

  @Test(arguments: [
    (Credential.Schemes.digest, ["Basic realm=r"], PasswordAuthenticator.Verdict.unsupported),
    (.digest, ["Basic realm=r", #"Digest realm="r", nonce="n""#], .retry),
    (.basic, [#"Digest realm="r", nonce="n""#], .unsupported),
    (.basic, [#"Digest realm="r", nonce="n""#, "Basic realm=r"], .retry),
    (Credential.Schemes(), ["Basic realm=r", #"Digest realm="r", nonce="n""#], .unsupported),
  ])
  func `a password is shown by the schemes that it is for and no others`(
    schemes: Credential.Schemes, challenges: [String], verdict: PasswordAuthenticator.Verdict
  ) {
    let authenticator = PasswordAuthenticator(
      .password(user: "ada", password: "é", for: schemes))
    #expect(authenticator.receiveChallenges(challenges, to: nil) == verdict)
    let field = authenticator.authorization(method: "GET", target: "/", body: nil)
    let prefix = verdict == .retry ? "\(schemes) " : nil
    #expect(prefix.map { field?.hasPrefix($0) == true } ?? (field == nil))
  }

  @Test func `a password that Basic may not show is not sent unasked`() {
    let authenticator = PasswordAuthenticator(
      .password(user: "ada", password: "é", for: .digest))
    authenticator.authenticatePreemptively()
    #expect(authenticator.authorization(method: "GET", target: "/", body: nil) == nil)
  }

  @Test func `each answer to a nonce is counted`() throws {
    #expect(authenticator.receiveChallenges([challenge("n")], to: nil) == .retry)
    for count in ["00000001", "00000002", "00000003"] {
      #expect(try #require(field()).contains("nc=\(count)"))
    }
    #expect(authenticator.receiveChallenges([challenge("m")], to: nil) == .retry)
    #expect(try #require(field()).contains("nc=00000001"))
  }

  @Test func `a first answer that is refused is wrong`() {
    #expect(authenticator.receiveChallenges([challenge("n")], to: nil) == .retry)
    #expect(authenticator.receiveChallenges([challenge("m")], to: field()) == .refused)
  }

  @Test func `a later answer that is refused is out of date, with or without the stale flag`() {
    #expect(authenticator.receiveChallenges([challenge("n")], to: nil) == .retry)
    _ = field()
    #expect(authenticator.receiveChallenges([challenge("m")], to: field()) == .retry)
    #expect(
      authenticator.receiveChallenges([challenge("o") + ", stale=TRUE"], to: field()) == .retry)
  }

  @Test func `without counts, the second refusal of the same nonce is final`() {
    let old = #"Digest realm="r", nonce="n""#
    #expect(authenticator.receiveChallenges([old], to: nil) == .retry)
    #expect(authenticator.receiveChallenges([old], to: field()) == .refused)
  }

  @Test func `the nonce that a server wants to see next is used`() throws {
    #expect(authenticator.receiveChallenges([challenge("n")], to: nil) == .retry)
    authenticator.receiveAuthenticationInfo(#"qop=auth, nextnonce="next, one", rspauth="x""#)
    let answer = try #require(field())
    #expect(answer.contains(#"nonce="next, one""#) && answer.contains("nc=00000001"))
  }

  @Test func `a body is hashed where the server wants that`() throws {
    let challenge = #"Digest realm="r", nonce="n", qop="auth-int""#
    #expect(authenticator.receiveChallenges([challenge], to: nil) == .retry)
    let field = try #require(
      authenticator.authorization(method: "POST", target: "/", body: ByteBuffer(string: "one")))
    let given = try #require(AuthenticationChallenge.all(in: [field]).first).parameters
    let asked = try #require(AuthenticationChallenge.all(in: [challenge]).first)
    let expected = DigestAnswer(
      try #require(DigestChallenge(asked)), user: "ada", password: "é", method: "POST", target: "/",
      bodyHash: DigestAlgorithm.md5.hash("one"), count: 1,
      clientNonce: try #require(given["cnonce"]))
    #expect(given["response"] == expected.response)
  }

  @Test
  func `an answer from the start that is refused is out of date, however often it was counted`() {
    #expect(authenticator.receiveChallenges([challenge("n")], to: nil) == .retry)
    authenticator.receiveAuthenticationInfo(#"nextnonce="m""#)
    let first = field()
    #expect(
      authenticator.receiveChallenges([challenge("o")], to: first, wasChallenged: false) == .retry)
    #expect(
      authenticator.receiveChallenges([challenge("p")], to: field(), wasChallenged: true)
        == .refused)
  }

  @Test func `a nonce that comes again goes on being counted`() throws {
    #expect(authenticator.receiveChallenges([challenge("n")], to: nil) == .retry)
    let first = try #require(field())
    _ = field()
    #expect(authenticator.receiveChallenges([challenge("n") + ", stale=true"], to: first) == .retry)
    #expect(try #require(field()).contains("nc=00000003"))
  }

  @Test func `a challenge of another realm is not answered, and changes nothing`() throws {
    #expect(authenticator.receiveChallenges([challenge("n")], to: nil) == .retry)
    let first = field()
    let other = #"Digest realm="other", nonce="x", qop=auth"#
    #expect(authenticator.receiveChallenges([other], to: first) == .otherRealm)
    #expect(try #require(field()).contains(#"realm="r", nonce="n""#))
  }

  @Test func `a session's password is hashed with the nonces of its first answer`() throws {
    let challenge = #"Digest realm="r", nonce="n", qop=auth, algorithm=MD5-sess"#
    #expect(authenticator.receiveChallenges([challenge], to: nil) == .retry)
    let first = try #require(field())
    let own = try #require(AuthenticationChallenge.all(in: [first]).first)
    authenticator.receiveAuthenticationInfo(#"nextnonce="m""#)
    let second = try #require(field())
    let later = try #require(AuthenticationChallenge.all(in: [second]).first)
    let client = try #require(own.parameters["cnonce"])
    let hash = DigestAlgorithm.md5.hash
    let secret = hash("\(hash("ada:r:é")):n:\(client)")
    #expect(later.parameters["nonce"] == "m")
    #expect(
      later.parameters["response"]
        == hash("\(secret):m:00000001:\(later.parameters["cnonce"] ?? ""):auth:\(hash("GET:/"))"))
  }

  @Test(arguments: [["Negotiate"], [], ["Digest realm=r, nonce=n, algorithm=X"], ["Bearer"]])
  func `what a password cannot answer is not understood`(fields: [String]) {
    #expect(authenticator.receiveChallenges(fields, to: nil) == .unsupported)
    #expect(field() == nil)
  }

  @Test func `a name with a colon goes by Digest only`() {
    let authenticator = PasswordAuthenticator(.password(user: "a:b", password: "p"))
    #expect(authenticator.receiveChallenges(["Basic realm=r"], to: nil) == .unsupported)
    #expect(authenticator.receiveChallenges([challenge("n")], to: nil) == .retry)
  }

  @Test func `a token answers Bearer and nothing else`() {
    let authenticator = PasswordAuthenticator(.bearer("t"))
    #expect(authenticator.receiveChallenges(["Basic", challenge("n")], to: nil) == .unsupported)
    #expect(authenticator.receiveChallenges(["Bearer error=invalid_token"], to: nil) == .retry)
    #expect(authenticator.authorization(method: "GET", target: "/", body: nil) == "Bearer t")
    #expect(authenticator.receiveChallenges(["Bearer"], to: "Bearer t") == .refused)
  }

  private func challenge(_ nonce: String) -> String {
    #"Digest realm="r", nonce="\#(nonce)", qop="auth", algorithm=SHA-256"#
  }

  private func field() -> String? {
    authenticator.authorization(method: "GET", target: "/", body: nil)
  }
}
