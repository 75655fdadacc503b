package import Foundation

/// Where a URL leads, in the two parts that sending needs.
package struct Destination: Sendable {
  let origin: Result<Origin, MartletError>
  let target: String
  /// Whether the URL says who the user is.
  let hasUser: Bool

  package init(of url: URL) {
    hasUser = url.user(percentEncoded: true) != nil
    origin = Result { () throws(MartletError) in try Origin(of: url) }
    let path = url.path(percentEncoded: true)
    let target = path.isEmpty ? "/" : path
    guard let query = url.query(percentEncoded: true) else {
      self.target = target
      return
    }
    self.target = target + "?" + query
  }

  /// Where a URL leads that has more path than this one's, and no query.
  ///
  /// - Parameter path: What is appended; nothing in it needs escaping.
  /// - Returns: Where the longer URL leads.
  package func appending(_ path: String) -> Destination {
    Destination(origin: origin, target: target + path, hasUser: hasUser)
  }

  private init(origin: Result<Origin, MartletError>, target: String, hasUser: Bool) {
    self.origin = origin
    self.target = target
    self.hasUser = hasUser
  }
}
