import MartletCore
import Testing

/// Answers to Digest challenges, against the examples of the RFCs.
struct DigestAnswerTests {
  @Test func `the example of RFC 2617 is answered as it says`() throws {
    let answer = try answer("Digest \(Self.host), qop=\"auth,auth-int\", opaque=\"5ccc\"")
    #expect(answer.response == "6629fae49393a05397450978507c4ef1")
    #expect(
      answer.field == """
        Digest username="Mufasa", realm="testrealm@host.com", \
        nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093", uri="/dir/index.html", \
        response="6629fae49393a05397450978507c4ef1", algorithm=MD5, opaque="5ccc", qop=auth, \
        nc=00000001, cnonce="0a4f113b"
        """)
  }

  @Test(arguments: [
    ("MD5", "8ca523f5e9506fed4657c9700eebdbec"),
    ("SHA-256", "753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"),
  ])
  func `the first example of RFC 7616 is answered as it says`(
    algorithm: String, response: String
  ) throws {
    let challenge = try #require(
      digest(
        """
        Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=\(algorithm), \
        nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", \
        opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"
        """))
    let answer = DigestAnswer(
      challenge, user: "Mufasa", password: "Circle of Life", method: "GET",
      target: "/dir/index.html", count: 1,
      clientNonce: "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ")
    #expect(answer.response == response)
  }

  /// With the hashes of erratum 4897: those in the RFC are of another function.
  @Test(arguments: [
    ("true", #"username="793263caabb707a56211940d90411ea4a575adeccb7e360aeb624ed06ece9b0b""#),
    ("false", "username*=UTF-8''J%C3%A4s%C3%B8n%20Doe"),
  ])
  func `the second example of RFC 7616 is answered as its erratum says`(
    userhash: String, user: String
  ) throws {
    let challenge = try #require(
      digest(
        """
        Digest realm="api@example.org", qop="auth", algorithm=SHA-512-256, \
        nonce="5TsQWLVdgBdmrQ0XsxbDODV+57QdFR34I9HAbC/RVvkK", \
        opaque="HRPCssKJSGjCrkzDg8OhwpzCiGPChXYjwrI2QmXDnsOS", charset=UTF-8, userhash=\(userhash)
        """))
    let answer = DigestAnswer(
      challenge, user: "J\u{E4}s\u{F8}n Doe", password: "Secret, or not?", method: "GET",
      target: "/doe.json", count: 1,
      clientNonce: "NTg6RKcb9boFIAS3KrFK9BGeh+iDa/sm6jUMp2wds69v")
    #expect(
      answer.response == "3798d4131c277846293534c3edc11bd8a5e4cdcbff78b05db9d95eeb1cec68a5")
    #expect(answer.field.hasPrefix("Digest \(user), "))
    #expect(answer.field.hasSuffix("userhash=true") == (userhash == "true"))
  }

  @Test func `a server of the time before qualities of protection is answered as RFC 2069 says`()
    throws
  {
    let answer = try answer("Digest \(Self.host)")
    #expect(answer.response == "670fd8c2df070c60b045671b8b24ff02")
    #expect(!answer.field.contains("qop") && !answer.field.contains("cnonce"))
  }

  @Test func `a session's password is hashed with both nonces`() throws {
    let answer = try answer("Digest \(Self.host), qop=auth, algorithm=md5-SESS")
    #expect(answer.response == "8e3825c57e897f5a0dec6c2d4e5059d0")
    #expect(answer.field.contains("algorithm=MD5-sess, qop=auth"))
  }

  @Test func `a body is hashed where nothing less will do`() throws {
    var answer = try answer("Digest \(Self.host), qop=\"auth-int\"", method: "POST")
    answer.bodyHash = answer.challenge.algorithm.hash("hello")
    #expect(answer.response == "b3da9049011b9dafbd8fc28b2deecc0b")
    #expect(answer.field.contains("qop=auth-int, nc=00000001"))
  }

  @Test func `quotation marks and backslashes are escaped`() throws {
    let challenge = try #require(digest(#"Digest realm="a \"b\" \\c", nonce="n""#))
    #expect(challenge.realm == #"a "b" \c"#)
    let answer = DigestAnswer(
      challenge, user: #"q"\"#, password: "p", method: "GET", target: "/", count: 1,
      clientNonce: "c")
    #expect(answer.field.hasPrefix(#"Digest username="q\"\\", realm="a \"b\" \\c""#))
  }

  @Test(arguments: [
    "Basic realm=\"r\"", "Digest nonce=\"n\"", "Digest realm=\"r\"",
    "Digest realm=\"r\", nonce=\"n\", algorithm=SHA3",
    "Digest realm=\"r\", nonce=\"n\", qop=\"auth-conf\"",
  ])
  func `what cannot be answered is no Digest challenge`(field: String) {
    #expect(digest(field) == nil)
  }

  private static let host =
    #"realm="testrealm@host.com", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093""#

  private func answer(_ field: String, method: String = "GET") throws -> DigestAnswer {
    DigestAnswer(
      try #require(digest(field)), user: "Mufasa", password: "Circle Of Life", method: method,
      target: "/dir/index.html", count: 1, clientNonce: "0a4f113b")
  }

  private func digest(_ field: String) -> DigestChallenge? {
    AuthenticationChallenge.all(in: [field]).first.flatMap(DigestChallenge.init)
  }
}
