import Foundation

/// What the system says about a failed call.
package struct SystemFailure: Error, CustomStringConvertible {
  package let number: CInt

  package init(number: CInt) {
    self.number = number
  }

  package var description: String {
    String(cString: strerror(number))
  }
}
