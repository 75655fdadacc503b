import MartletCore
import Testing

/// Challenges, read from their fields.
struct ChallengeTests {
  /// Fields, and what they say: schemes, each with its token or its parameters in order of name.
  private static let fields: [(String, [String])] = [
    ("", []),
    (" , ,", []),
    ("Basic", ["basic"]),
    (#"Basic realm="simple""#, ["basic realm=simple"]),
    (#"bAsIc ReAlM="simple""#, ["basic realm=simple"]),
    ("Basic realm=token", ["basic realm=token"]),
    (#"Basic realm = "blanks""#, ["basic realm=blanks"]),
    (#"Basic realm="a, b""#, ["basic realm=a, b"]),
    (#"Basic realm="a \"b\" \\""#, [#"basic realm=a "b" \"#]),
    (#"Basic realm="never closed, Digest nonce=n"#, ["basic realm=never closed, Digest nonce=n"]),
    (#"Basic realm="r", realm="s""#, ["basic realm=r"]),
    (#"Basic realm="r",charset="UTF-8""#, ["basic charset=UTF-8 realm=r"]),
    (#"Basic , realm="r""#, ["basic realm=r"]),
    ("Negotiate", ["negotiate"]),
    ("Negotiate YWJj==", ["negotiate YWJj=="]),
    ("Negotiate YWJj==, Basic realm=r", ["negotiate YWJj==", "basic realm=r"]),
    ("Negotiate, Basic realm=r", ["negotiate", "basic realm=r"]),
    (#"Basic realm="r", Digest realm="s", nonce=n"#, ["basic realm=r", "digest nonce=n realm=s"]),
    (#"Digest realm="s", nonce=n, Basic"#, ["digest nonce=n realm=s", "basic"]),
    (
      #"Newauth realm="apps", type=1, title="Login to \"apps\"", Basic realm="simple""#,
      [#"newauth realm=apps title=Login to "apps" type=1"#, "basic realm=simple"]
    ),
    ("realm=r", []),
    ("=x, Basic realm=r", ["basic realm=r"]),
    (#"@"a, b", Basic realm=r"#, ["basic realm=r"]),
    ("Basic realm=", ["basic realm="]),
    ("Basic realm=é", ["basic realm=é"]),
  ]

  @Test(arguments: fields)
  func `a field is read as its schemes and their parameters`(field: String, expected: [String]) {
    let challenges = AuthenticationChallenge.all(in: [field]).map { challenge in
      let parameters = challenge.parameters.sorted { $0.key < $1.key }.map { "\($0)=\($1)" }
      return ([challenge.scheme] + [challenge.token68].compactMap(\.self) + parameters)
        .joined(separator: " ")
    }
    #expect(challenges == expected)
  }

  @Test func `several fields are read in order`() {
    let challenges = AuthenticationChallenge.all(in: ["Digest nonce=n", "Basic realm=r"])
    #expect(challenges.map(\.scheme) == ["digest", "basic"])
    #expect(challenges.last?.realm == "r")
  }

  @Test func `a field of many challenges is read so far and no further`() {
    let field = String(repeating: "a, ", count: 100_000)
    #expect(AuthenticationChallenge.all(in: [field]).count == 64)
  }

  @Test func `a credential that is printed or dumped is masked`() {
    let secrets = [Credential.password(user: "canary", password: "canary"), .bearer("canary")]
    var shown = ""
    for secret in secrets {
      dump(secret, to: &shown)
      shown += "\(secret) \(String(reflecting: secret)) \(secrets)"
    }
    #expect(!shown.contains("canary"))
    #expect(shown.contains("password(***)") && shown.contains("bearer(***)"))
  }
}
