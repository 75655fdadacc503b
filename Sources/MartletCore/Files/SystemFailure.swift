import Foundation

/// What the system says about a failed call.
package struct SystemFailure: Error, CustomStringConvertible {
  package let number: CInt

  package init(number: CInt) {
    self.number = number
  }

  /// The failed call beneath an error; `nil` when the error is of another kind.
  package init?(of error: any Error) {
    switch error {
    case let failure as SystemFailure: self = failure
    case let error as POSIXError: self.init(number: error.code.rawValue)
    case let error as CocoaError:
      guard let underlying = error.underlying else { return nil }
      self.init(of: underlying)
    default: return nil
    }
  }

  package var description: String {
    String(cString: strerror(number))
  }
}
