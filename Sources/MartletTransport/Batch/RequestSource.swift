public import MartletCore

/// The requests of a batch; each iteration begins anew.
///
/// The sequence is iterated by closures that are made where its type is known, so that its code is specialized for the type. To look
/// up the functions of an unknown iterator takes a thousand instructions for each request.
@usableFromInline
package struct RequestSource: Sendable {
  /// Begins an iteration.
  @usableFromInline package let iterate: @Sendable () -> () -> Request?

  @inlinable package init(_ requests: some Sequence<Request> & Sendable) {
    iterate = {
      var iterator = requests.makeIterator()
      return { iterator.next() }
    }
  }
}
