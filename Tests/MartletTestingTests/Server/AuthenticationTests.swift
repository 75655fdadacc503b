import Foundation
import HTTPTypes
import MartletTesting
import Testing

@Suite(.timeLimit(.minutes(5)))
struct AuthenticationTests {
  private let router = ServerRouter.httpbin()

  private func get(_ target: String, _ authorization: String? = nil) async -> ServerResponse {
    var headers = HTTPFields()
    headers[.authorization] = authorization
    return await router.response(
      to: ServerRequest(method: .get, target: target, headers: headers))
  }

  @Test func `basic authentication challenges until user and password are right`() async {
    let refused = await get("/basic-auth/ada/sea%20bird")
    #expect(refused.status == .unauthorized)
    #expect(refused.headers[.wwwAuthenticate] == "Basic realm=\"Fake Realm\"")
    let right = "Basic " + Data("ada:sea bird".utf8).base64EncodedString()
    #expect(await get("/basic-auth/ada/sea%20bird", right).status == .ok)
    #expect(await get("/basic-auth/ada/x", right).status == .unauthorized)
    #expect(await get("/basic-auth/ada/x", "Basic *").status == .unauthorized)
  }

  @Test func `hidden basic authentication does not challenge`() async {
    let refused = await get("/hidden-basic-auth/a/b")
    #expect(refused.status == .notFound)
    #expect(refused.headers[.wwwAuthenticate] == nil)
    #expect(await get("/hidden-basic-auth/a/b", "basic YTpi").status == .ok)
  }

  @Test func `any bearer token will do`() async {
    #expect(await get("/bearer").headers[.wwwAuthenticate] == "Bearer")
    #expect(await get("/bearer", "Bearer t").status == .ok)
  }

  @Test(arguments: [DigestAlgorithm.md5, .sha256, .sha512])
  func `a right digest is accepted, once for each count`(algorithm: DigestAlgorithm) async throws {
    let target = "/digest-auth/auth/ada/tern/\(algorithm.rawValue)"
    let challenge = try #require(await get(target).headers[.wwwAuthenticate])
    #expect(challenge.contains("algorithm=\(algorithm.rawValue), stale=FALSE"))
    let answer = try answer(to: challenge, target, algorithm)
    #expect(await get(target, answer).status == .ok)
    let replayed = await get(target, answer)
    #expect(replayed.status == .unauthorized)
    #expect(replayed.headers[.wwwAuthenticate]?.contains("stale=TRUE") == true)
  }

  @Test func `a nonce goes stale after the uses it is given`() async throws {
    let target = "/digest-auth/auth/ada/tern/MD5/1"
    let challenge = try #require(await get(target).headers[.wwwAuthenticate])
    #expect(await get(target, try answer(to: challenge, target, .md5)).status == .ok)
    let second = await get(target, try answer(to: challenge, target, .md5, count: "00000002"))
    #expect(second.headers[.wwwAuthenticate]?.contains("stale=TRUE") == true)
  }

  @Test func `a wrong password, another target and nonsense are challenged again`() async throws {
    let target = "/digest-auth/auth/ada/tern"
    let challenge = try #require(await get(target).headers[.wwwAuthenticate])
    let wrong = try answer(to: challenge, target, .md5, password: "gull")
    #expect(await get(target, wrong).headers[.wwwAuthenticate]?.contains("stale=FALSE") == true)
    let other = try answer(to: challenge, target + "?a", .md5)
    #expect(await get(target, other).status == .unauthorized)
    #expect(await get(target, "Digest \"=,=x,").status == .unauthorized)
  }

  @Test(arguments: [
    (DigestAlgorithm.md5, "8ca523f5e9506fed4657c9700eebdbec"),
    (.sha256, "753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"),
  ])
  func `the examples of RFC 7616 are right`(algorithm: DigestAlgorithm, response: String) throws {
    let nonce = "7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v"
    let field = """
      Digest username="Mufasa", realm="http-auth@example.org", uri="/dir/index.html", \
      nonce="\(nonce)", nc=00000001, cnonce="f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ", \
      qop=auth, response="\(response)"
      """
    let answer = try #require(DigestAnswer(field))
    let isRight = answer.isValid(
      user: "Mufasa", password: "Circle of Life", realm: "http-auth@example.org",
      algorithm: algorithm, request: ServerRequest(method: .get, target: "/dir/index.html"))
    #expect(isRight)
  }

  private func answer(
    to challenge: String, _ target: String, _ algorithm: DigestAlgorithm,
    password: String = "tern", count: String = "00000001"
  ) throws -> String {
    let nonce = try #require(challenge.firstMatch(of: /nonce="(.*?)"/)).1
    let realm = try #require(challenge.firstMatch(of: /realm="(.*?)"/)).1
    let secret = algorithm.hash("ada:\(realm):\(password)")
    let message = algorithm.hash("GET:\(target)")
    let response = algorithm.hash("\(secret):\(nonce):\(count):c:auth:\(message)")
    return """
      Digest username="ada", realm="\(realm)", nonce="\(nonce)", uri="\(target)", qop=auth, \
      nc=\(count), cnonce="c", response="\(response)"
      """
  }
}
