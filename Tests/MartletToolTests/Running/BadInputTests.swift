import Foundation
import MartletTesting
import Testing

/// Whatever goes wrong, the tool says one sentence and exits with a number that is not zero.
@Suite(.timeLimit(.minutes(5)))
struct BadInputTests {
  private func expect(
    _ sentence: String, from arguments: String, status: Int32 = 1,
    location: SourceLocation = #_sourceLocation
  ) async throws {
    try await expect(sentence, from: [arguments], status: status, location: location)
  }

  private func expect(
    _ sentence: String, from arguments: [String], status: Int32 = 1,
    location: SourceLocation = #_sourceLocation
  ) async throws {
    let run = try await ToolRun(arguments: ["--timeout", "10"] + arguments)
    #expect(run.status == status, sourceLocation: location)
    #expect(run.complaint == "martlet: \(sentence)\n", sourceLocation: location)
    #expect(run.text == "", sourceLocation: location)
  }

  // MARK: The command line

  @Test func `text that is no URL`() async throws {
    try await expect(
      "The URL “http://[::1” is not usable: its host is neither a name nor an IPv6 address in brackets, such as [::1].",
      from: "http://[::1")
  }

  @Test(arguments: [":18446744073709551696/", "http://ada:secret@127.0.0.1:65536/v1"])
  func `a port that is out of range`(url: String) async throws {
    let run = try await ToolRun(arguments: ["--timeout", "10", url])
    #expect(run.status == 1)
    #expect(
      run.complaint.contains(
        /is not usable: port (18446744073709551696|65536) is not between 1 and 65535\.\n/))
  }

  @Test func `a scheme that is not supported`() async throws {
    try await expect(
      "The scheme “ftp” is not supported: use http or https.", from: "ftp://example.com/")
  }

  @Test func `a header that would be two`() async throws {
    try await expect(
      "The value of the header “X” holds a line break or another control character, or begins or ends with a blank: remove it.",
      from: [":1/", "X:a\r\nb"])
  }

  @Test func `a word that is no item`() async throws {
    try await expect(
      "“tern” is not an item: write Header:value, name==value, field=value, field:=json or field@file.",
      from: [":1/", "tern"], status: 64)
  }

  @Test(arguments: [
    [":1/", "a=@nowhere"], [":1/", "a:=@nowhere"], [":1/", "q==@nowhere"], [":1/", "X:@nowhere"],
    [":1/", "a@nowhere"], [":1/", "@nowhere"], ["--cacert", "nowhere", ":1/"],
    ["--verify", "nowhere", "https://127.0.0.1:1/"], ["--cert", "nowhere", ":1/"],
    ["--cert", "/dev/null", "--key", "nowhere", ":1/"], ["--offline", ":1/", "a@nowhere"],
  ])
  func `a file that is not there`(arguments: [String]) async throws {
    try await expect(
      "The file “nowhere” cannot be read: No such file or directory.", from: arguments)
  }

  @Test(arguments: ["a=@/", "a@/", "@/"])
  func `a directory in place of a file`(item: String) async throws {
    try await expect("The file “/” cannot be read: Is a directory.", from: [":1/", item])
  }

  @Test(arguments: ["a@/dev/null", "@/dev/null"])
  func `a device in place of a file`(item: String) async throws {
    try await expect(
      "“/dev/null” is not a regular file: copy it into one, or send it on standard input.",
      from: [":1/", item])
  }

  @Test(arguments: [
    "Content-Length:5", "content-length:", "Content-Length;", "Transfer-Encoding:chunked",
    "Transfer-Encoding:",
  ])
  func `a header that frames the body`(item: String) async throws {
    let name = item.prefix { $0 != ":" && $0 != ";" }
    try await expect(
      "The header “\(name)” frames the body, and martlet sets it by itself: leave it out.",
      from: [":1/", item], status: 64)
  }

  @Test func `headers that cannot be changed so`() async throws {
    try await expect(
      "Every request needs the header “Host”: give it another value, or leave “Host:” out.",
      from: [":1/", "Host:"], status: 64)
    try await expect(
      "The only expectation that can be sent is “Expect:100-continue”: write that, or leave the header out.",
      from: [":1/", "Expect:200-ok"], status: 64)
  }

  @Test(arguments: [["Host:a", "host:b"], ["Host:a", "Host;"], ["Host:a", "Host:a"]])
  func `two fields that a request has once (RFC 9112 §3.2)`(items: [String]) async throws {
    try await expect(
      "A request has one header “Host”: give one, and leave the others out.",
      from: [":1/"] + items, status: 64)
  }

  @Test func `an argument that is not text`() async throws {
    let run = try await ToolRun(script: #""$MARTLET" --timeout 10 :1/ "$(printf 'a=\377')""#)
    #expect(run.status == 64)
    #expect(
      run.complaint
        == "martlet: Argument 4 is not text in UTF-8: write it in UTF-8, or percent-encode it in a URL.\n"
    )
  }

  @Test func `a standard input that cannot be read`() async throws {
    let run = try await ToolRun(script: #""$MARTLET" --timeout 10 POST :1/ < /"#)
    #expect(run.status == 1)
    #expect(run.complaint == "martlet: Standard input cannot be read: Is a directory.\n")
  }

  @Test(arguments: ["http://[localhost]:1/", "http://[127.0.0.1]/", "[1::2::3]:1"])
  func `brackets around what is no IPv6 address`(text: String) async throws {
    let url = text.hasPrefix("http") ? text : "http://" + text
    try await expect(
      "The URL “\(url)” is not usable: its host is neither a name nor an IPv6 address in brackets, such as [::1].",
      from: text)
  }

  @Test func `brackets around a name, where a redirect leads`() async throws {
    let server = try await ScriptedServer.start(.redirect(to: "http://[localhost]/"))
    try await expect(
      "The URL “http://[localhost]/” is not usable: the server redirects there, and its host is neither a name nor an IPv6 address in brackets, such as [::1].",
      from: ["--follow", server.url().absoluteString])
  }

  @Test func `brackets around the name of a proxy`() async throws {
    let run = try await ToolRun("--proxy", "http://[localhost]:3128", ":1/")
    #expect(run.status == 64)
    #expect(run.complaint.contains("it is not a URL such as http://proxy.example.com:3128"))
  }

  @Test(arguments: [
    "--help > /dev/full", ":PORT/bytes/100000 > /dev/full", ":PORT/get --output /dev/full",
    ":PORT/get --output /dev/stdout > /dev/full",
  ])
  func `output that takes nothing`(arguments: String) async throws {
    let server = try await LoopbackServer.start()
    let words = arguments.replacing("PORT", with: "\(server.port)")
    let run = try await ToolRun(script: #""$MARTLET" "# + words)
    #expect(run.status == 1)
    #expect(
      run.complaint == "martlet: The output cannot be written: No space left on device.\n")
    await server.stop()
  }

  @Test func `CONNECT`() async throws {
    try await expect(
      "CONNECT cannot be sent as a request: set a proxy to send requests through a tunnel, or use another method.",
      from: ["CONNECT", ":1"])
  }

  @Test func `a field whose name breaks the grammar`() async throws {
    try await expect(
      """
      The field's name needs “]” here: write \\[ and \\] for brackets that belong to the name.
        user[name
                 ^
      """, from: [":1/", "user[name=Ada"], status: 64)
  }

  // MARK: The network

  @Test func `a port that refuses`() async throws {
    let port = try ReservedPort.refusing()
    try await expect(
      "Could not connect to http://127.0.0.1:\(port.port) (tried 127.0.0.1:\(port.port)): nothing listens there.",
      from: "http://127.0.0.1:\(port.port)/")
  }

  @Test func `a host without an address`() async throws {
    try await expect(
      "The host “host.invalid” has no address: check the name and the network.",
      from: "http://host.invalid/")
  }

  // MARK: The response

  @Test(arguments: [
    "HTTP/1.1 abc OK\r\n\r\n", "HTTQ/1.1 200 OK\r\n\r\n",
    "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx",
  ])
  func `a head that is not HTTP`(head: String) async throws {
    let server = try await ScriptedServer.start(.respond(head))
    let run = try await ToolRun(server.url().absoluteString)
    #expect(run.status == 1)
    #expect(run.complaint.hasPrefix("martlet: The server's response is not HTTP/1.1: "))
    #expect(run.complaint.split(separator: "\n").count == 1)
    #expect(run.text == "")
  }

  @Test func `a chunk whose size is no number`() async throws {
    let server = try await ScriptedServer.start(
      .respond("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\nzz\r\n"))
    let run = try await ToolRun(server.url().absoluteString)
    #expect(run.status == 1)
    #expect(run.complaint.hasPrefix("martlet: The server's response is not HTTP/1.1: "))
    #expect(run.complaint.split(separator: "\n").count == 1)
  }

  @Test func `a response that takes longer than all of it may`() async throws {
    let server = try await ScriptedServer.start(
      .respond("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf").then(.stall))
    let run = try await ToolRun("--max-time", "0.2", server.url().absoluteString)
    #expect(run.status == 2)
    #expect(
      run.complaint
        == "martlet: The call to \(server.url().absoluteString.dropLast()) took longer than the 200 ms allowed in total: try again or raise the time-out.\n"
    )
  }

  @Test func `a body that is cut short`() async throws {
    let server = try await ScriptedServer.start(
      .respond("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf"))
    let run = try await ToolRun(server.url().absoluteString)
    #expect(run.status == 1)
    #expect(
      run.complaint
        == "martlet: The connection ended after 4 of 10 bytes of the body, before it was complete: try again.\n"
    )
  }

  @Test func `a head beyond the limit`() async throws {
    let filler = String(repeating: "x", count: 300_000)
    let server = try await ScriptedServer.start(
      .respond("HTTP/1.1 200 OK\r\nX-Filler: \(filler)\r\n\r\n"))
    try await expect(
      "The head of the response is larger than 262144 bytes.",
      from: server.url().absoluteString)
  }
}
