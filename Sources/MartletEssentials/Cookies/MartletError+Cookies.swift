import EssentialFoundation
import MartletCore

/// Errors of files that are not cookie files, or that another process uses.
extension MartletError {
  /// A text that is not in the format of cookie files. `file` is the file that contains the text; `nil` if the text is
  /// not from a file.
  static func notCookies(_ problem: CookieText.Problem, in file: URL?) -> MartletError {
    guard let file else {
      return MartletError(
        .invalidCookieFile,
        "Line \(problem.line) of the text is neither a cookie (seven fields separated by tabs) nor the title “\(CookieText.title)”."
      )
    }
    switch problem {
    case .title: return notCookieFile(file, "must begin with the line “\(CookieText.title)”")
    case .line(let number):
      return MartletError(
        .invalidCookieFile,
        "Line \(number) of “\(file.path.masked)” is not a cookie (seven fields separated by tabs): correct it, or choose another file. This one was not changed."
      )
    }
  }

  /// A file that is not a cookie file. `rule` is what the file breaks: a verb phrase.
  static func notCookieFile(_ file: URL, _ rule: String) -> MartletError {
    MartletError(
      .invalidCookieFile,
      "“\(file.path.masked)” is not a cookie file, which \(rule): choose another file. This one was not changed."
    )
  }

  static func cookieFileInUse(_ file: URL) -> MartletError {
    MartletError(
      .cookieFileInUse,
      "Another process has been writing “\(file.path.masked)” for ten seconds: try again when it is done, or choose another file."
    )
  }
}
