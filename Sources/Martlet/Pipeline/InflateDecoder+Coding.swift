extension InflateDecoder {
  /// The content codings that zlib undoes.
  enum Coding: String {
    case gzip
    case deflate
  }
}
