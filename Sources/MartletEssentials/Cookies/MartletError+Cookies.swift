import EssentialFoundation
import MartletCore

/// Cookie files that are none, or that another process holds.
extension MartletError {
  /// The text of `file`, or one from elsewhere.
  static func notCookies(_ problem: CookieText.Problem, in file: URL?) -> MartletError {
    guard let file else {
      return MartletError(
        .invalidCookieFile,
        "Line \(problem.line) of the text is no cookie, which has seven fields with tabs between them, nor the title “\(CookieText.title)”."
      )
    }
    switch problem {
    case .title: return notCookieFile(file)
    case .line(let number):
      return MartletError(
        .invalidCookieFile,
        "Line \(number) of “\(file.path.masked)” is no cookie, which has seven fields with tabs between them: mend it, or choose another file. This one was left as it is."
      )
    }
  }

  static func notCookieFile(_ file: URL) -> MartletError {
    MartletError(
      .invalidCookieFile,
      "“\(file.path.masked)” is not a file of cookies, for its line 1 is not “\(CookieText.title)”: choose another. This one was left as it is."
    )
  }

  static func cookieFileInUse(_ file: URL) -> MartletError {
    MartletError(
      .cookieFileInUse,
      "Another process has been writing “\(file.path.masked)” for ten seconds: try again when it is done, or choose another file."
    )
  }
}
