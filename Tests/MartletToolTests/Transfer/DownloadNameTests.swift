import Foundation
import Martlet
import Testing

@testable import MartletTool

struct DownloadNameTests {
  private func name(_ disposition: String?, _ url: String = "http://h/") throws -> String {
    var head = ResponseHead(status: .ok)
    head.headers[.contentDisposition] = disposition
    return try DownloadName.choose(head, url: #require(URL(string: url)))
  }

  @Test(arguments: [
    ("attachment; filename=tern.jpg", "tern.jpg"),
    ("attachment; filename=\"a;b \\\"c\\\".txt\"", "a;b \"c\".txt"),
    ("inline; FileName = \"x.txt\"", "x.txt"),
    ("attachment; filename=\"plain.txt\"; filename*=UTF-8''na%C3%AFve%20x.txt", "naïve x.txt"),
    ("attachment; filename*=latin1''x; filename=y", "y"),
    ("attachment; filename=a; filename=b", "a"),
  ])
  func `the server's name is taken`(field: String, name: String) throws {
    #expect(try self.name(field) == name)
  }

  @Test(arguments: [
    ("attachment; filename=\"../../x\"", "x"),
    ("attachment; filename=\"/etc/passwd\"", "passwd"),
    ("attachment; filename=\"C:\\\\dir\\\\x.txt\"", "x.txt"),
    ("attachment; filename*=UTF-8''..%2F..%2Fx", "x"),
    ("attachment; filename=\".bashrc\"", "bashrc"),
    ("attachment; filename*=UTF-8''a%1B%5B2Jb", "a[2Jb"),
    ("attachment; filename*=UTF-8''a%00b", "ab"),
  ])
  func `a name cannot lead elsewhere, hide, or speak to the terminal`(field: String, name: String)
    throws
  {
    #expect(try self.name(field) == name)
  }

  @Test func `the URL's last component comes next`() throws {
    #expect(try name(nil, "http://h/a/b%20c.iso?x=/y") == "b c.iso")
    #expect(try name("attachment", "http://h/a") == "a")
    #expect(try name("attachment; filename=\"..\"", "http://h/a") == "a")
    #expect(try name(nil, "http://h/a%2F..%2Fb") == "b")
  }

  @Test(arguments: ["http://h", "http://h/", "http://h/dir/", "http://h/..", "http://h/%2F"])
  func `without any name the user has to give one`(url: String) {
    let sentence = "Neither the response nor the URL names a file: give a name with --output."
    #expect(throws: ToolFailure(sentence)) { try name(nil, url) }
  }

  @Test func `a name is not longer than file systems allow`() throws {
    let long = String(repeating: "ü", count: 300) + ".txt"
    let name = try name("attachment; filename=\"\(long)\"")
    #expect(name.utf8.count <= 200 && name.hasSuffix(".txt"))
  }
}
