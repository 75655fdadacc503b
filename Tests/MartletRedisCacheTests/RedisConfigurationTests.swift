import MartletCore
import Testing

@testable import MartletRedisCache

@Suite(.timeLimit(.minutes(5)))
struct RedisConfigurationTests {
  @Test func `a URL has host, port, user, password and database`() throws {
    let whole = try RedisConfiguration(url: "redis://me:p%40ss%2F@Redis.example.com:7000/12")
    #expect(whole.host == "Redis.example.com")
    #expect(whole.port == 7000)
    #expect(whole.user == "me")
    #expect(whole.password == "p@ss/")
    #expect(whole.database == 12)
    #expect(whole.tls == nil)
    let short = try RedisConfiguration(url: "rediss://:secret@[::1]")
    #expect(short.host == "::1")
    #expect(short.port == 6379)
    #expect(short.user == nil)
    #expect(short.password == "secret")
    #expect(short.database == 0)
    #expect(short.tls == RedisConfiguration.TLS())
    #expect(try RedisConfiguration(url: "redis://h") == RedisConfiguration(host: "h"))
  }

  @Test(arguments: [
    "", "h", "h:6379", "redis://", "redis://:p@", "http://h", "unix:///tmp/redis", "redis://h:0",
    "redis://h:70000", "redis://h:s3cret", "redis://h/s3cret", "redis://h/-1", "redis://h/1/2",
    "redis://h?db=1", "redis://h#1", "redis://s3cret@h", "redis://:s3/cret@h",
  ])
  func `another text is refused, by a sentence without its parts`(_ text: String) throws {
    let error = try #require(throws: MartletError.self) { try RedisConfiguration(url: text) }
    #expect(error.code == .invalidSetting)
    #expect(error.message.hasPrefix("The URL of a Redis server is not usable: "))
    #expect(!error.message.contains("s3"))
  }

  @Test func `descriptions mask the password`() throws {
    let configuration = try RedisConfiguration(url: "rediss://me:s3cret@[::1]:7000/2")
    #expect("\(configuration)" == "rediss://me:***@[::1]:7000/2")
    var dumped = ""
    dump(configuration, to: &dumped)
    #expect(!dumped.contains("s3cret"))
    #expect("\(RedisConfiguration(host: "h"))" == "redis://h:6379/0")
  }
}
