import ArgumentParser
import Foundation
import Martlet
import MartletTransport
import Testing

@testable import MartletTool

struct OptionsTests {
  @Test(arguments: ["--timeout", "--max-time"], ["0", "-1", "nan", "inf", "1e300", "1e-9"])
  func `a time-out has to be a time`(option: String, seconds: String) {
    let error = #expect(throws: (any Error).self) {
      try RequestCommand.parse(["\(option)=\(seconds)", ":"])
    }
    #expect(
      error.map { RequestCommand.message(for: $0) }
        == "\(option) needs a number of seconds from 0.001 to 315360000, such as 2.5.")
  }

  @Test func `a limit for all of it leaves the other time-outs as they are`() throws {
    let options = try ConnectionOptions.parse(["--max-time", "2.5"])
    var timeouts = Timeouts()
    timeouts.total = .seconds(2.5)
    #expect(
      try options.configuration(for: [], followsRedirects: false).httpTransportConfiguration
        .timeouts == timeouts)
    let both = try ConnectionOptions.parse(["--max-time", "9", "--timeout", "2"])
    #expect(
      try both.configuration(for: [], followsRedirects: false).httpTransportConfiguration.timeouts
        == Timeouts(.seconds(2), total: .seconds(9)))
  }

  @Test(arguments: [0, 3])
  func `requests are retried as often as --retry says`(count: Int) throws {
    let options = try ConnectionOptions.parse(["--retry", "\(count)"])
    let retry = try options.configuration(for: [], followsRedirects: false).resilience.retry
    #expect(retry.maximumAttempts == count + 1)
    #expect(retry.budget == nil)
  }

  @Test(arguments: ["no", "No", "false"])
  func `--verify no is --insecure`(value: String) throws {
    let options = try ConnectionOptions.parse(["--verify", value])
    let configuration = try options.configuration(for: [], followsRedirects: false)
    #expect(configuration.tls.acceptsAnyCertificate)
    #expect(options.trust.warning != nil)
  }

  @Test(arguments: [["--verify", "yes"], ["--verify", "true"], []])
  func `--verify yes is what holds anyhow`(arguments: [String]) throws {
    let options = try ConnectionOptions.parse(arguments)
    let configuration = try options.configuration(for: [], followsRedirects: false)
    #expect(!configuration.tls.acceptsAnyCertificate && configuration.tls.roots == .system)
    #expect(options.trust.warning == nil)
  }

  @Test(arguments: ["--verify", "--cacert"])
  func `--verify with a file is --cacert`(option: String) throws {
    let options = try ConnectionOptions.parse([option, "/dev/null"])
    let configuration = try options.configuration(for: [], followsRedirects: false)
    #expect(!configuration.tls.acceptsAnyCertificate)
    #expect(configuration.tls.roots == .file(URL(fileURLWithPath: "/dev/null")))
  }

  @Test func `a time-out holds for connecting, TLS and silence`() throws {
    let options = try ConnectionOptions.parse(["--timeout", "2.5"])
    #expect(
      try options.configuration(for: [], followsRedirects: false).httpTransportConfiguration
        .timeouts
        == Timeouts(.seconds(2.5)))
  }

  @Test func `redirects are shown unless they are followed`() throws {
    let options = try ConnectionOptions.parse(["--max-redirects", "3"])
    #expect(
      try !options.configuration(for: [], followsRedirects: false).redirectPolicy.isEnabled)
    #expect(
      try options.configuration(for: [], followsRedirects: true).redirectPolicy.limit == 3)
  }

  @Test(
    arguments: [
      ([], .automatic), (["--http1"], .http1), (["--http2"], .http2),
    ] as [([String], HTTPTransportConfiguration.Versions)])
  func `the version of HTTP is the server's choice unless one is asked for`(
    arguments: [String], versions: HTTPTransportConfiguration.Versions
  ) throws {
    let options = try ConnectionOptions.parse(arguments)
    #expect(
      try options.configuration(for: [], followsRedirects: false).versions == versions)
  }

  @Test func `only one version can be the only one`() {
    #expect(throws: (any Error).self) { try ConnectionOptions.parse(["--http1", "--http2"]) }
  }

  @Test(arguments: [
    (
      ["--headers", "--body", ":"],
      "--headers prints no body: leave out --body, --output and --download."
    ),
    (
      ["--download", "--body", ":"], "--body prints the body: leave out --output and --download."
    ),
    (["-b", "-o", "x", ":"], "--body prints the body: leave out --output and --download."),
    (
      ["-o", "x/", ":"], "--output needs the name of a file: leave out the slash at its end."
    ),
    (["--max-redirects=-1", ":"], "--max-redirects needs 0 or more."),
    (
      ["--insecure", "--cacert", "x", ":"], "--insecure checks no certificate: leave out --cacert."
    ),
    (
      ["--verify", "no", "--cacert", "x", ":"],
      "--verify replaces --insecure and --cacert: leave them out."
    ),
    (["--pass", "x", ":"], "--pass is about the key of a certificate: add --cert."),
    (
      ["--max-redirects", "3", ":"],
      "--max-redirects is about redirects that are followed: add --follow."
    ),
    (["--print", "hx", ":"], "--print takes the letters H, B, h, b and m, and no others."),
    (
      ["-p", "h", "--body", ":"],
      "--print lists all that is printed: leave out --headers, --body, --download and --output -."
    ),
    (
      ["-p", "h", "--output", "-", ":"],
      "--print lists all that is printed: leave out --headers, --body, --download and --output -."
    ),
    (["-p", "hb", "-o", "x", ":"], "--output saves the body: leave b out of --print."),
    (["--offline", "-p", "Hh", ":"], "--offline gets no response: print H and B alone."),
    (
      ["--as-curl", "--timing", ":"],
      "--as-curl gets no response: leave out --headers, --body, --download, --timing and --output."
    ),
    (
      ["--as-curl", "-p", "H", ":"],
      "--as-curl prints a command: leave out --offline and --print."
    ),
    (
      ["--show-secrets", ":"],
      "--show-secrets is about a command of curl or a HAR file: add --as-curl or --har."
    ),
    (["--har", "", ":"], "--har needs the name of a file."),
    (["--har", "-", ":"], "--har needs the name of a file."),
    (["--har", "a", "--output", "a", ":"], "--har and --output need different files."),
    (["--har", "a", "--as-curl", ":"], "--as-curl sends nothing: leave out --har."),
    (["--har", "a", "--offline", ":"], "--offline sends nothing: leave out --har."),
    (
      ["--offline", "--timing", ":"],
      "--offline gets no response: leave out --headers, --body, --download, --timing and --output."
    ),
    (["--key", "x", ":"], "--key needs a certificate that it belongs to: add --cert."),
    (
      ["--pin", "x", ":"],
      "“x” is not a pin: it must read sha256// and the SHA-256 of a public key in base64, which is 44 characters."
    ),
    (["--output", "", ":"], "--output needs the name of a file."),
    (["--retry", "1001", ":"], "--retry needs a number from 0 to 1000."),
    (["--retry=-1", ":"], "--retry needs a number from 0 to 1000."),
    (["--continue", ":"], "--continue resumes a download: add --download."),
    (
      ["--checksum", "sha256:\(String(repeating: "0", count: 64))", ":"],
      "--checksum checks a download: add --download."
    ),
    (
      ["--download", "--output", "-", ":"],
      "--download saves a file: leave out --output -, or --download."
    ),
  ])
  func `options that make no sense are refused`(arguments: [String], sentence: String) {
    let error = #expect(throws: (any Error).self) { try RequestCommand.parse(arguments) }
    #expect(error.map { RequestCommand.message(for: $0) } == sentence)
  }

  @Test func `the help lists the options`() {
    let help = MartletTool.helpMessage(for: RequestCommand.self, columns: 80)
    let start = help.range(of: "OUTPUT:")?.lowerBound ?? help.endIndex
    #expect(String(help[start...]) == Self.options)
  }

  @Test func `no line of a list in the help is broken on a terminal of 80 columns`() {
    let help = MartletTool.helpMessage(for: RequestCommand.self, columns: 80)
    let lines = Set(help.split(separator: "\n"))
    for line in RequestHelp.discussion.split(separator: "\n") where line.hasPrefix("  ") {
      #expect(lines.contains(line), "\(line)")
    }
  }

  private static let options = """
    OUTPUT:
      --headers               Print only the head of the response.
      -b, --body              Print only the body of the response.
      -p, --print <HBhbm>     Print these parts on standard output: H and B, the
                              head and the body of the request; h and b, those of
                              the response; m, the timing.
      -v, --verbose           Print the events of the call, the request as it is
                              sent, and the heads of all responses, on standard
                              error.
      -o, --output <file>     Save the body to this file; - is standard output.
      -d, --download          Save the body to --output, or else under the name
                              that the server or the URL gives, with a number added
                              if that file exists. Follows redirects.
      -c, --continue          With --download, resume an incomplete download, and
                              keep what was received if this one fails.
      --checksum <checksum>   With --download, the checksum that the file must
                              have: sha256: or sha512: and hexadecimal digits.
      --timing                Print the timing of each request, redirects included,
                              on standard error.
      --offline               Print the request instead of sending it.
      --as-curl               Print the request as a command of curl instead of
                              sending it, with *** for secrets.
      --har <file>            Record the requests and responses in this file, in
                              the format HAR 1.2, with *** for secrets.
      --show-secrets          With --as-curl or --har, do not hide passwords,
                              tokens and cookies.

    IDENTITY:
      -a, --auth <user:password>
                              The user name and password; the tool asks for a
                              missing password. With --auth-type bearer, the token.
      --auth-type <basic|digest|bearer>
                              The authentication scheme of --auth: basic and bearer
                              are sent with the first request, digest only in
                              response to a Digest challenge. The default is basic.
                              (values: basic, digest, bearer)
      --netrc                 Look up user names and passwords in $NETRC or
                              ~/.netrc when a server requires authentication.
      --session <file>        Load cookies, and each server's headers and --auth,
                              from this file, and save those of this run in it.

    CACHE:
      --cache <directory>     Store responses in this directory, and answer from it
                              while they are fresh. --cache alone, without
                              =directory, uses “martlet” in the user's directory
                              for caches.
      --no-cache              Request the response from the server, not from a
                              cache. With --cache, it is stored.
      --only-if-cached        With --cache, answer from the cache or fail; nothing
                              is sent.

    CONNECTION:
      -F, --follow            Follow redirects.
      --max-redirects <n>     With --follow or --download, the most redirects to
                              follow. The default is 20.
      --timeout <seconds>     The time-out for connecting, for TLS, and between two
                              bytes. The defaults are 10 s, 10 s and 60 s.
      --max-time <seconds>    The time-out for the whole call, redirects included.
                              The default is no limit.
      --retry <n>             Send the request again after a failure that may pass,
                              at most this many times, unless it could take effect
                              twice. The default is 0.
      --http1                 Speak HTTP/1.1 only.
      --http2                 Speak HTTP/2 only; over http, without negotiation
                              (prior knowledge).
      --proxy <URL>           Use this proxy, such as
                              http://user:password@host:3128; the scheme may also
                              be https or socks5. The default is taken from the
                              environment: http_proxy, https_proxy, all_proxy and
                              no_proxy.
      --no-proxy <hosts>      Use no proxy for these hosts, such as
                              .example.com,10.0.0.0/8; * means all hosts.
      --cacert <file>         Trust the certificates in this file, in PEM or DER
                              form, and no others.
      --pin <sha256//...>     Require a certificate with this public key. Of
                              several pins, one must match. martlet certs prints
                              the pins.
      --cert <file>           Send this client certificate, in PEM form, if the
                              server of the URL requests one.
      --key <file>            The private key of --cert. The default is the key in
                              the same file.
      --pass <phrase>         The passphrase of the private key, if it is encrypted.
      --insecure              Do not verify the server's certificate. Pins given
                              with --pin still apply.
      --verify <no|file>      With no, the same as --insecure; with a file, the
                              same as --cacert.
      --check-status          Exit with 4 or 5 when the response is a 4xx or 5xx,
                              and, without --follow, with 3 when it is a 3xx.

    OPTIONS:
      -j, --json              Send the fields as a JSON object (the default), and
                              request a JSON response.
      -f, --form              Send the fields as a form, or as a multipart form if
                              there are files.
      --multipart             Send the fields as a multipart form, even without
                              files.
      -I, --ignore-stdin      Do not read a body from standard input.
      --version               Show the version.
      -h, --help              Show help information.

    """
}
