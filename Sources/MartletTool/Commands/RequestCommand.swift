import ArgumentParser

/// `martlet [METHOD] URL [ITEM …]`
struct RequestCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "request",
    _superCommandName: "martlet",
    abstract: "Send a request and print the response.",
    usage: """
      martlet [<options>] [METHOD] URL [ITEM ...]
      martlet --download [--continue] URL [URL ...]
      martlet certs URL
      martlet reach [--once] [HOST]
      martlet cache list
      martlet har FILE
      martlet serve [--tls] [--http2] [--port <n>]
      martlet demo
      """,
    discussion: RequestHelp.discussion)

  @Argument(
    help: ArgumentHelp(
      "The method (by default GET, or POST with a body), the URL, and the items.",
      valueName: "[METHOD] URL [ITEM]"))
  var words: [String]

  @Flag(exclusivity: .exclusive)
  var encoding: FieldEncoding?

  @Flag(name: [.customShort("I"), .long], help: "Do not read a body from standard input.")
  var ignoreStdin = false

  @OptionGroup(title: "Output")
  var output: OutputOptions

  @OptionGroup(title: "Identity")
  var authentication: AuthenticationOptions

  @OptionGroup(title: "Cache")
  var caching: CachingOptions

  @OptionGroup(title: "Connection")
  var connection: ConnectionOptions

  func validate() throws {
    if connection.maxRedirects != nil, !connection.follow, !output.download {
      throw ValidationError("--max-redirects is about redirects that are followed: add --follow.")
    }
  }

  func run() async throws {
    try await Report.run { try await RequestRun(self).run() }
  }
}

/// The parts of `--help` other than the options.
enum RequestHelp {
  static let discussion = """
    In a terminal the whole response is printed: JSON with indentation, and with colours unless \
    NO_COLOR is set; text decoded by its charset; control characters escaped, such as \\u{1b}. In a \
    pipe, and with --output, only the body is written, byte for byte.

    An ITEM is one of
      Header:value      a header
      Header:           no such header, even if it is a default
      Header;           a header with an empty value
      name==value       a parameter of the query
      field=value       a field of the body with a text value
      field:=json       a field of the body with any JSON value
      field@file        a file, as a part of a form
      @file             a file that is the whole body
    where =@path, :=@path, ==@path and :@path read the value from a file, @file;type=image/png sets \
    the media type of a file, and a backslash before : ; = or @ makes it a part of the name.

    In JSON, brackets in the name of a field make nested values, as with HTTPie: a[b] is the member b \
    of the object a, a[0] is the first element of the array a, and a[] is a new element at its end. \
    [] alone makes the body an array. A backslash before [ or ] makes it a part of the name, and a \
    backslash before a number makes the number a name.

    A URL without a scheme is http; :8080/x means http://localhost:8080/x. Data on standard input is \
    the body. With --download, further words that look like URLs are downloaded in parallel: words \
    with a scheme, and hosts such as example.com/x, localhost:8080 or mirror:8080/x. A blank after \
    its colon makes such a word a header.

    EXAMPLES
      martlet example.com/birds q==tern page==2
      martlet POST :8080/birds name=Tern weight:=0.12 seen:=true
      martlet POST :8080/birds places[]=Sylt places[]=Amrum ring[id]:=42
      martlet --form :8080/notes user=ada text=@note.txt
      martlet :8080/photos album=june photo@tern.jpg
      martlet PUT :8080/birds/7 X-Trace:42 < tern.json
      martlet PUT :8080/birds/7 @tern.json
      martlet --download --timeout 10 https://example.com/big.iso
      martlet --download --continue https://example.com/big.iso
      martlet -d -o x.iso --checksum sha256:9f86… https://example.com/big.iso
      martlet --follow --timing --verbose example.com
      martlet --print HBh POST :8080/birds name=Tern
      martlet --http2 --headers :8080/birds
      martlet --auth ada:secret https://example.com/private
      martlet --session ada.json :8080/login name=ada
      martlet --cert client.pem --pin sha256//... https://example.com
      martlet --cache --verbose https://example.com/
      martlet --proxy socks5://localhost:1080 https://example.com
      martlet --check-status :8080/health || echo "not well"

    EXIT STATUS
      0  all went well            4  a 4xx, with --check-status or --download
      1  a failure                5  a 5xx, with --check-status or --download
      2  a time-out               6  too many redirects
      3  a 3xx, with --check-status and without --follow, or with --download
      64 an invalid command line

    OTHER COMMANDS
      martlet certs     the certificates of a server, their trust and their pins
      martlet reach     whether the network, or a host, can be reached
      martlet cache     the responses of --cache: list, show, verify, clear
      martlet serve     a server with the routes of httpbin, to try requests on
      martlet demo      a short demonstration of the library
    """
}
