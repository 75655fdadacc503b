import MartletEssentials

/// An error that ends the tool: one sentence for the user, and an exit status.
struct ToolFailure: Error, Equatable {
  let message: String
  let status: ExitStatus

  init(_ message: String, status: ExitStatus = .failure) {
    self.message = message
    self.status = status
  }

  /// A failure because of an invalid command line.
  static func usage(_ message: String) -> ToolFailure {
    ToolFailure(message, status: .usage)
  }
}

/// The exit status of the tool. The numbers from 0 to 6 are those of HTTPie.
enum ExitStatus: Int32 {
  /// The command succeeded.
  case success = 0
  /// The command failed. A sentence on standard error describes the failure.
  case failure = 1
  /// A time-out expired.
  case timedOut = 2
  /// The response was a 3xx that was not followed.
  case redirect = 3
  /// The response was a 4xx.
  case clientError = 4
  /// The response was a 5xx.
  case serverError = 5
  /// There were more redirects than allowed.
  case tooManyRedirects = 6
  /// The command line is invalid (`EX_USAGE`, as in the argument parser).
  case usage = 64

  /// The exit status for an error.
  init(_ error: any Error) {
    switch error {
    case let failure as ToolFailure: self = failure.status
    case let error as MartletError where error.code == .timedOut: self = .timedOut
    case let error as MartletError where error.code == .tooManyRedirects: self = .tooManyRedirects
    default: self = .failure
    }
  }

  /// The exit status for the status code of a response.
  init(checking status: Int, followsRedirects: Bool) {
    switch status {
    case 300..<400: self = followsRedirects ? .success : .redirect
    case 400..<500: self = .clientError
    case 500..<600: self = .serverError
    default: self = .success
    }
  }
}
