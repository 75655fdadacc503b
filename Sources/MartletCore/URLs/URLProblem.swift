/// Why a text is no URL that can be asked for: a clause.
package struct URLProblem: Error {
  static let host = URLProblem("its host holds what may not stand in a host name")

  package let reason: String

  init(_ reason: String) {
    self.reason = reason
  }
}
