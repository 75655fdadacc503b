import EssentialFoundation

extension UnsafeRawBufferPointer {
  /// Whether the bytes of `text`, which is not empty, stand somewhere in these. The C library goes through
  /// gigabytes in a moment, also in debug builds.
  func contains(_ text: [UInt8]) -> Bool {
    var rest = self
    while let start = rest.baseAddress, rest.count >= text.count,
      let found = memchr(start, CInt(text[0]), rest.count - text.count + 1)
    {
      if memcmp(found, text, text.count) == 0 { return true }
      rest = UnsafeRawBufferPointer(rebasing: rest[(start.distance(to: found) + 1)...])
    }
    return false
  }
}
