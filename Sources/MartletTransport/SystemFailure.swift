import Foundation

/// What the system says about a failed call.
struct SystemFailure: Error, CustomStringConvertible {
  let number: CInt

  var description: String {
    String(cString: strerror(number))
  }
}
