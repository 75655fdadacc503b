/// A text, the URL that it becomes, and what others do where they differ.
struct URLCase: Sendable {
  /// What others do with the text.
  enum Other: Equatable {
    /// They ask for the same, however it is spelled.
    case agree
    /// They ask for this.
    case ask(String)
    case refuse
  }

  let text: String
  /// The URL, or `nil` when the text is refused.
  let url: String?
  /// The URL Standard of the WHATWG, as Node.js 20 has it.
  let browsers: Other
  /// What curl 7.88 asks for on the command line; it sends neither fragment nor user in its target.
  let curl: Other

  static func url(
    _ text: String, _ url: String? = nil, browsers: Other = .agree, curl: Other = .agree
  ) -> URLCase {
    URLCase(text: text, url: url ?? text, browsers: browsers, curl: curl)
  }

  static func nothing(
    _ text: String, browsers: Other = .agree, curl: Other = .agree
  ) -> URLCase {
    URLCase(text: text, url: nil, browsers: browsers, curl: curl)
  }
}

extension URLCase {
  static let all: [URLCase] = [
    // What may stand there stays (RFC 3986 Appendix A).
    .url("http://h/"),
    .url("http://h/a/b;c=1,2?d=e&f#g"),
    .url("http://h/-._~!$&'()*+,;=:@"),
    .url("http://h/?-._~!$&'()*+,;=:@/?", browsers: .ask("http://h/?-._~!$&%27()*+,;=:@/?")),
    .url("http://h/#-._~!$&'()*+,;=:@/?"),
    .url("http://h/?"),
    .url("http://h/#"),
    .url("http://h//a//b"),
    .url("http://h", browsers: .ask("http://h/")),
    .url("http://h?x", browsers: .ask("http://h/?x")),
    // What is escaped stays so, whatever it stands for (§2.1, §2.4).
    .url("http://h/a%20b?c%20d#e%20f"),
    .url("http://h/%2F%2f%3F%23"),
    .url("http://h/%7e%7E%41"),
    .url("http://h/%00%FF%E2%82"),
    .url("http://h/a+b%2Bc"),
    .url("http://h/%2520"),
    // One forbidden byte changes nothing about its neighbours.
    .url(
      "http://h/p?q=a|b%20c", "http://h/p?q=a%7Cb%20c", browsers: .ask("http://h/p?q=a|b%20c"),
      curl: .ask("http://h/p?q=a|b%20c")),
    .url(
      "http://h/?u=http%3A%2F%2Fh%2F&discount=50%off",
      "http://h/?u=http%3A%2F%2Fh%2F&discount=50%25off",
      browsers: .ask("http://h/?u=http%3A%2F%2Fh%2F&discount=50%off"),
      curl: .ask("http://h/?u=http%3A%2F%2Fh%2F&discount=50%off")),
    .url(
      "http://h/?q=[1]%20", "http://h/?q=%5B1%5D%20", browsers: .ask("http://h/?q=[1]%20"),
      curl: .ask("http://h/?q=[1]%20")),
    .url(
      "http://h/[1]%20", "http://h/%5B1%5D%20", browsers: .ask("http://h/[1]%20"),
      curl: .ask("http://h/[1]%20")),
    .url("http://h/a b%20c", "http://h/a%20b%20c", curl: .refuse),
    .url("http://h/#a b%20c", "http://h/#a%20b%20c", curl: .refuse),
    .url("http://u|%20:p|%20@h/", "http://u%7C%20:p%7C%20@h/"),
    // Each forbidden byte is escaped.
    .url("http://h/\"<>", "http://h/%22%3C%3E", curl: .ask("http://h/\"<>")),
    .url("http://h/`{}", "http://h/%60%7B%7D", curl: .ask("http://h/`{}")),
    .url("http://h/^", "http://h/%5E", browsers: .ask("http://h/^"), curl: .ask("http://h/^")),
    .url("http://h/|", "http://h/%7C", browsers: .ask("http://h/|"), curl: .ask("http://h/|")),
    .url(
      "http://h/a\\b", "http://h/a%5Cb", browsers: .ask("http://h/a/b"), curl: .ask("http://h/a\\b")
    ),
    .url(
      "http://h/[]", "http://h/%5B%5D", browsers: .ask("http://h/[]"), curl: .ask("http://h/[]")),
    .url("http://h/?\"<>", "http://h/?%22%3C%3E", curl: .ask("http://h/?\"<>")),
    .url(
      "http://h/?`{}", "http://h/?%60%7B%7D", browsers: .ask("http://h/?`{}"),
      curl: .ask("http://h/?`{}")),
    .url(
      "http://h/?^\\|[]", "http://h/?%5E%5C%7C%5B%5D", browsers: .ask("http://h/?^\\|[]"),
      curl: .ask("http://h/?^\\|[]")),
    .url("http://h/#\"<>`", "http://h/#%22%3C%3E%60"),
    .url(
      "http://h/#{}^\\|[]", "http://h/#%7B%7D%5E%5C%7C%5B%5D", browsers: .ask("http://h/#{}^\\|[]")),
    .url("http://h/#a#b", "http://h/#a%23b", browsers: .ask("http://h/#a#b")),
    // A `%` that begins no escape is one.
    .url("http://h/%", "http://h/%25", browsers: .ask("http://h/%"), curl: .ask("http://h/%")),
    .url("http://h/%4", "http://h/%254", browsers: .ask("http://h/%4"), curl: .ask("http://h/%4")),
    .url(
      "http://h/%zz", "http://h/%25zz", browsers: .ask("http://h/%zz"), curl: .ask("http://h/%zz")),
    .url(
      "http://h/%%20", "http://h/%25%20", browsers: .ask("http://h/%%20"),
      curl: .ask("http://h/%%20")),
    .url(
      "http://h/%%%", "http://h/%25%25%25", browsers: .ask("http://h/%%%"),
      curl: .ask("http://h/%%%")),
    .url(
      "http://h/?a=%&b=%1&c=%GG&d=%41", "http://h/?a=%25&b=%251&c=%25GG&d=%41",
      browsers: .ask("http://h/?a=%&b=%1&c=%GG&d=%41"), curl: .ask("http://h/?a=%&b=%1&c=%GG&d=%41")
    ),
    .url("http://h/#100%", "http://h/#100%25", browsers: .ask("http://h/#100%")),
    .url(
      "http://h/%u00e9", "http://h/%25u00e9", browsers: .ask("http://h/%u00e9"),
      curl: .ask("http://h/%u00e9")),
    .url("http://u%:p%2@h/", "http://u%25:p%252@h/", browsers: .ask("http://u%:p%2@h/")),
    // Text is UTF-8, as it stands: no normal form is made (§2.5).
    .url("http://h/é%20", "http://h/%C3%A9%20", curl: .ask("http://h/%c3%a9%20")),
    .url("http://h/e\u{301}", "http://h/e%CC%81", curl: .ask("http://h/e%cc%81")),
    .url("http://h/\u{338}x", "http://h/%CC%B8x", curl: .ask("http://h/%cc%b8x")),
    .url("http://h/?q=日本", "http://h/?q=%E6%97%A5%E6%9C%AC", curl: .ask("http://h/?q=日本")),
    .url("http://h/#ü", "http://h/#%C3%BC"),
    .url("http://h/😀", "http://h/%F0%9F%98%80", curl: .ask("http://h/%f0%9f%98%80")),
    .url("http://h/\u{200B}", "http://h/%E2%80%8B", curl: .ask("http://h/%e2%80%8b")),
    // Blanks and control characters are escaped like anything else: nothing is taken out.
    .url("http://h/a b", "http://h/a%20b", curl: .refuse),
    .url("http://h/a ", "http://h/a%20", browsers: .ask("http://h/a"), curl: .refuse),
    .url("http://h/a\tb", "http://h/a%09b", browsers: .ask("http://h/ab"), curl: .refuse),
    .url("http://h/a\nb", "http://h/a%0Ab", browsers: .ask("http://h/ab"), curl: .refuse),
    .url(
      "http://h/?a\r\nb: c", "http://h/?a%0D%0Ab:%20c", browsers: .ask("http://h/?ab:%20c"),
      curl: .refuse),
    .url("http://h/\0\u{7F}", "http://h/%00%7F"),
    .url(
      "http://h/\u{1B}[31m", "http://h/%1B%5B31m", browsers: .ask("http://h/%1B[31m"), curl: .refuse
    ),
    // The last `@` ends user and password (§3.2.1).
    .url("http://u:p@h/"),
    .url("http://u:p:q@h/", browsers: .ask("http://u:p%3Aq@h/")),
    .url("http://u%40v:p%2Fq@h/"),
    .url("http://u@v@h/", "http://u%40v@h/", curl: .refuse),
    .url("http://u v:p w@h/", "http://u%20v:p%20w@h/", curl: .refuse),
    .url("http://ü:é@h/", "http://%C3%BC:%C3%A9@h/"),
    .url("http://[u]:p@h/", "http://%5Bu%5D:p@h/"),
    .url("http://@h/", browsers: .ask("http://h/")),
    .url("http://u/p@h/"),
    .url("http://h:80@x/"),
    .url("http://a\\@b/", "http://a%5C@b/", browsers: .ask("http://a/@b/")),
    // A name that is not ASCII has another form; addresses have zones (RFC 5890, RFC 6874).
    .url(
      "http://bücher.example/é%20", "http://xn--bcher-kva.example/%C3%A9%20",
      curl: .ask("http://xn--bcher-kva.example/%c3%a9%20")),
    .url("http://BÜCHER.example/", "http://xn--bcher-kva.example/"),
    .url(
      "http://b%C3%BCcher.example/", browsers: .ask("http://xn--bcher-kva.example/"),
      curl: .ask("http://xn--bcher-kva.example/")),
    .url("http://%68/", browsers: .ask("http://h/"), curl: .ask("http://h/")),
    .url("HTTP://H/", browsers: .ask("http://h/"), curl: .ask("http://H/")),
    .url("http://h_x./"),
    .url("http://[::1]:8080/"),
    .url("http://[fe80::1%25eth0]/", browsers: .refuse, curl: .ask("http://[fe80::1]/")),
    .url(
      "http://[fe80::1%eth0]/", "http://[fe80::1%25eth0]/", browsers: .refuse,
      curl: .ask("http://[fe80::1]/")),
    .url("http://127.1/", browsers: .ask("http://127.0.0.1/"), curl: .ask("http://127.0.0.1/")),
    .url(
      "http+unix://%2Frun%2Fapp.sock/a b%20", "http+unix://%2Frun%2Fapp.sock/a%20b%20",
      curl: .refuse),
    .url("http://[1:2:3:4:5:6:7:8]/"),
    .url("http://[::ffff:192.0.2.1]:80/"),
    // A port is digits, or nothing (§3.2.3).
    .url("http://h:/", browsers: .ask("http://h/")),
    .url("http://h:80/", browsers: .ask("http://h/")),
    .url("http://h:00080/", browsers: .ask("http://h/")),
    // Dot segments stay: nothing is resolved (§5.2.4).
    .url("http://h/a/../b/./c", browsers: .ask("http://h/b/c"), curl: .ask("http://h/b/c")),
    .url("http://h/%2e%2e/b", browsers: .ask("http://h/b")),
    // What is no URL then is none.
    .nothing(""),
    .nothing("://h/"),
    .nothing("1http://h/"),
    .nothing("ht tp://h/"),
    .nothing(" http://h/", browsers: .ask("http://h/")),
    .nothing("http://h:8a/"),
    .nothing("http://h:-1/"),
    .nothing("http://h:+80/"),
    .nothing("http://h:８０/"),
    .nothing("http://h x/"),
    .nothing("http://h|x/", curl: .ask("http://h|x/")),
    .nothing("http://h<x>/"),
    .nothing("http://h\\x/", browsers: .ask("http://h/x/")),
    .nothing("http://[::1/"),
    .nothing("http://::1/"),
    .nothing("http://[::1]x/"),
    // Brackets hold an IPv6 address, and nothing else (§3.2.2); a version of the future (`v1.`) is not known.
    .nothing("http://[localhost]/"),
    .nothing("http://[localhost]:18123/"),
    .nothing("http://[127.0.0.1]/"),
    .nothing("http://[v1.localhost]/"),
    .nothing("http://[1::2::3]/"),
    .nothing("http://[1:2:3:4:5:6:7:8:9]/"),
    .nothing("http://[]/"),
    .nothing("http://[::1%25]/"),
    .nothing("http://[::1%61]/"),
    .nothing("http://u@[localhost]/"),
    .nothing("http://h:80:90/"),
  ]
}
