import MartletEssentials

/// Why the tool gives up: one sentence, and the exit status that goes with it.
struct ToolFailure: Error, Equatable {
  let message: String
  let status: ExitStatus

  init(_ message: String, status: ExitStatus = .failure) {
    self.message = message
    self.status = status
  }

  /// The command line makes no sense.
  static func usage(_ message: String) -> ToolFailure {
    ToolFailure(message, status: .usage)
  }
}

/// The exit status of the tool, in the numbers that HTTPie uses.
enum ExitStatus: Int32 {
  /// All went well.
  case success = 0
  /// Something failed, and a sentence on standard error says what.
  case failure = 1
  /// A part of the exchange took too long.
  case timedOut = 2
  /// The answer was a redirect, which was not followed.
  case redirect = 3
  /// The answer was a 4xx.
  case clientError = 4
  /// The answer was a 5xx.
  case serverError = 5
  /// There were more redirects than allowed.
  case tooManyRedirects = 6
  /// The command line makes no sense (`EX_USAGE`, as the argument parser has it).
  case usage = 64

  /// What a failure means.
  init(_ error: any Error) {
    switch error {
    case let failure as ToolFailure: self = failure.status
    case let error as MartletError where error.code == .timedOut: self = .timedOut
    case let error as MartletError where error.code == .tooManyRedirects: self = .tooManyRedirects
    default: self = .failure
    }
  }

  /// What a response's status means when it is checked.
  init(checking status: Int, followsRedirects: Bool) {
    switch status {
    case 300..<400: self = followsRedirects ? .success : .redirect
    case 400..<500: self = .clientError
    case 500..<600: self = .serverError
    default: self = .success
    }
  }
}
