import Martlet
import Testing

/// The limits of a session, which its users rely on.
struct SessionDefaultTests {
  private let configuration = HTTPSessionManager.Configuration()

  @Test func `a decompressed body has at most 1 GiB, two codings, and 100 times its size`() {
    let limits = configuration.decompressionLimits
    #expect(limits?.size == 1_073_741_824)
    #expect(limits?.codings == 2)
    #expect(limits?.ratio == 100)
    #expect(limits?.ratioExemptSize == 10_485_760)
  }

  @Test func `a jar has at most 50 cookies of a domain, and 3000 in all`() {
    #expect(configuration.cookieJar?.limits.perDomain == 50)
    #expect(configuration.cookieJar?.limits.total == 3000)
  }

  @Test func `at most 20 redirects are followed, and none from https to http`() {
    #expect(configuration.redirectPolicy.limit == 20)
    #expect(!configuration.redirectPolicy.allowsInsecure)
  }

  @Test func `the standard policy waits at most a minute for Retry-After`() {
    #expect(RetryPolicy.standard.maximumRetryAfter == .seconds(60))
  }
}
