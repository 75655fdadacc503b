import EssentialFoundation

extension UnsafeRawBufferPointer {
  /// Whether these are the same bytes as others.
  func isSame(as other: UnsafeRawBufferPointer) -> Bool {
    guard count == other.count, let own = baseAddress, let others = other.baseAddress else {
      return count == other.count
    }
    return memcmp(own, others, count) == 0
  }
}

extension String {
  /// Whether two texts have the same bytes: those that are equal to Swift may have others.
  func hasSameBytes(as other: String) -> Bool {
    withBytes { bytes in other.withBytes { bytes.isSame(as: $0) } }
  }

  private func withBytes(_ compare: (UnsafeRawBufferPointer) -> Bool) -> Bool {
    utf8.withContiguousStorageIfAvailable { compare(UnsafeRawBufferPointer($0)) }
      ?? Array(utf8).withUnsafeBytes(compare)
  }
}
