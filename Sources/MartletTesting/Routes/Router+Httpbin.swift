extension Router {
  /// The routes of httpbin, and a few more: one line for each family.
  ///
  /// Limits that httpbin puts on sizes do not apply here: `/bytes/1073741824` is answered, a chunk at
  /// a time.
  public static func httpbin() -> Router {
    Router(
      pageRoutes + echoRoutes + statusRoutes + redirectRoutes + cookieRoutes + basicRoutes
        + digestRoutes(DigestNonces()) + conditionalRoutes + compressedRoutes + bytesRoutes
        + rangeRoutes + imageRoutes + textRoutes)
  }
}
