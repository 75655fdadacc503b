import EssentialFoundation
import HTTPTypes
import NIOCore

/// A request as a command of curl.
struct CurlCommand {
  /// The largest body in the command. Linux limits one argument to 128 KiB.
  private static let largestBody = 64 << 10
  private static let mask = "***"

  private let request: Request
  private let showsSecrets: Bool
  /// The command that writes the body to curl's standard input, if there is one.
  private var producer: String?
  private var arguments: [String] = []

  init(_ request: Request, showsSecrets: Bool) {
    self.request = request
    self.showsSecrets = showsSecrets
    addMethod()
    addFields()
    addCredential()
    addBody()
    addURL()
  }

  var text: String {
    let command = (["curl"] + arguments).map(\.shellQuoted).joined(separator: " ")
    return producer.map { "\($0) | \(command)" } ?? command
  }

  /// Whether curl sends a body, which may be empty.
  private var hasBody: Bool {
    !request.body.isEmpty || request.method.announcesEmptyBody
  }

  private mutating func addMethod() {
    switch request.method {
    case .get where !hasBody, .post: break
    case .head where !hasBody: arguments.append("--head")
    default: arguments += ["--request", request.method.rawValue]
    }
  }

  private mutating func addFields() {
    // The credential takes the place of the field.
    let isLeftOut: Set<HTTPField.Name> =
      request.credential == nil ? Self.framing : Self.framing.union([.authorization])
    for field in request.headers where !isLeftOut.contains(field.name) {
      let value = showsSecrets ? field.value : field.maskedValue
      arguments += ["--header", field.name.rawName + (value.isEmpty ? ";" : ": \(value)")]
    }
    // curl would send a type of its own.
    if hasBody, !request.headers.contains(.contentType) {
      arguments += ["--header", "Content-Type:"]
    }
  }

  /// The fields that curl itself sends with a body.
  private static let framing: Set<HTTPField.Name> = [
    .contentLength, .transferEncoding, .expect,
  ]

  private mutating func addCredential() {
    switch request.credential {
    case .password(let user, let password, let schemes):
      arguments += schemes == .all ? ["--anyauth"] : schemes == .digest ? ["--digest"] : []
      arguments += ["--user", "\(user):\(showsSecrets ? password : Self.mask)"]
    case .bearer(let token):
      arguments += ["--header", "Authorization: Bearer \(showsSecrets ? token : Self.mask)"]
    case nil: break
    }
  }

  private mutating func addBody() {
    guard hasBody else { return }
    switch request.body.source {
    case .empty: arguments += ["--data-raw", ""]
    case .bytes(let bytes) where bytes.readableBytes <= Self.largestBody: add(bytes)
    case .bytes, .producer: arguments += ["--data-binary", "@-"]
    case .file(let range):
      guard !range.reachesEnd || range.offset > 0 else {
        arguments += ["--data-binary", "@\(range.path)"]
        return
      }
      producer =
        "tail -c +\(range.offset + 1) \(range.path.shellQuoted) | head -c \(range.length)"
      arguments += ["--data-binary", "@-"]
    }
  }

  private mutating func add(_ bytes: ByteBuffer) {
    let type = request.headers[.contentType]
    guard let bytes = showsSecrets ? bytes : SecretText.masked(bytes, type: type) else {
      arguments += ["--data-binary", "@-"]
      return
    }
    if let text = bytes.plainText {
      arguments += ["--data-raw", text]
    } else {
      producer = "printf '\(bytes.readableBytesView.map(\.printfEscaped).joined())'"
      arguments += ["--data-binary", "@-"]
    }
  }

  private mutating func addURL() {
    guard let origin = try? request.origin else {
      arguments.append(request.url.masked)
      return
    }
    let target = showsSecrets ? request.target : request.target.maskingSecretParameters(isURL: true)
    if target.utf8.contains(where: "[]{}".utf8.contains) || origin.isIPv6 {
      arguments.append("--globoff")
    }
    if target.hasDotSegments { arguments.append("--path-as-is") }
    if case .unixSocket(let path) = origin.endpoint { arguments += ["--unix-socket", path] }
    let scheme = origin.isSecure ? "https://" : "http://"
    arguments.append(scheme + userInfo + origin.authority + target)
  }

  private var userInfo: String {
    guard request.hasUserInfo else { return "" }
    guard showsSecrets else { return "\(Self.mask)@" }
    let parts = [request.url.user(), request.url.password()].compactMap { $0 }
    return parts.joined(separator: ":") + "@"
  }
}

extension String {
  /// The text as one word of a POSIX shell.
  fileprivate var shellQuoted: String {
    let isPlain = utf8.allSatisfy { $0.isLetter || $0.isDigit || "-._/:@,+".utf8.contains($0) }
    if isPlain, !isEmpty { return self }
    return "'" + split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''")
      + "'"
  }

  /// Whether curl would resolve `.` or `..` in the path.
  fileprivate var hasDotSegments: Bool {
    let dots = [".", "..", "%2e", ".%2e", "%2e.", "%2e%2e"]
    return prefix { $0 != "?" }.split(separator: "/").contains { dots.contains($0.lowercased()) }
  }
}

extension ByteBuffer {
  /// The bytes as text; `nil` if a terminal or a shell would not keep it as it is.
  fileprivate var plainText: String? {
    let bytes = readableBytesView
    let isPlain = bytes.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x0A || $0 == 0x09 }
    return isPlain ? String(validating: bytes, as: UTF8.self) : nil
  }
}

extension UInt8 {
  /// The byte in a format of `printf` between single quotes.
  fileprivate var printfEscaped: String {
    switch self {
    case UInt8(ascii: "%"): "%%"
    case UInt8(ascii: "\\"): "\\\\"
    case UInt8(ascii: "'"): "\\047"
    case 0x20...0x7E: String(UnicodeScalar(self))
    default:
      "\\" + String(repeating: "0", count: self < 8 ? 2 : self < 64 ? 1 : 0)
        + String(self, radix: 8)
    }
  }
}
