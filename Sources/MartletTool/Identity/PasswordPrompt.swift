import EssentialFoundation
import MartletEssentials

/// Asks for a password in the terminal, without showing it.
enum PasswordPrompt {
  /// - Throws: `ToolFailure` when there is no terminal, or the input ends (Ctrl-D) before a character or a line break.
  static func ask(for user: String) throws(ToolFailure) -> String {
    let terminal = open("/dev/tty", O_RDWR | O_CLOEXEC)
    guard terminal >= 0 else { throw .noPassword(of: user) }
    defer { close(terminal) }
    let question = "Password of \(user.masked): "
    let answer = withoutEcho(terminal) {
      _ = question.withCString { write(terminal, $0, strlen($0)) }
      return line(from: terminal)
    }
    _ = write(terminal, "\n", 1)
    switch answer {
    case .line(let password): return password
    case .interrupt: Signals.terminate(by: SIGINT)
    case .end: throw .usage("No password was typed for “\(user.masked)”: try again.")
    }
  }

  /// The user's input.
  private enum Answer {
    case line(String)
    /// Ctrl-C. It must not end the tool before the terminal's settings are restored.
    case interrupt
    case end
  }

  /// The character of Ctrl-C.
  private static let controlC: UInt8 = 3

  private static func withoutEcho<Result>(_ terminal: Int32, _ body: () -> Result) -> Result {
    var before = termios()
    guard tcgetattr(terminal, &before) == 0 else { return body() }
    var silent = before
    silent.c_lflag &= ~tcflag_t(ECHO | ISIG)
    // Without ISIG, Ctrl-C is a character. It ends a line, so that the terminal passes it on at once.
    withUnsafeMutableBytes(of: &silent.c_cc) { $0[Int(VEOL)] = controlC }
    tcsetattr(terminal, TCSAFLUSH, &silent)
    defer { tcsetattr(terminal, TCSAFLUSH, &before) }
    return body()
  }

  private static func line(from terminal: Int32) -> Answer {
    var bytes: [UInt8] = []
    var byte: UInt8 = 0
    while true {
      let count = read(terminal, &byte, 1)
      if count < 0, errno == EINTR { continue }
      guard count == 1 else { return bytes.isEmpty ? .end : .line(text(bytes)) }
      switch byte {
      case UInt8(ascii: "\n"): return .line(text(bytes))
      case controlC: return .interrupt
      default: bytes.append(byte)
      }
    }
  }

  private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}

extension ToolFailure {
  static func noPassword(of user: String) -> ToolFailure {
    .usage(
      "The password of “\(user.masked)” is missing, and there is no terminal to ask for it: write --auth \(user.masked):PASSWORD."
    )
  }
}
