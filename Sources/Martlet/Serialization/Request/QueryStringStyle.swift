extension HTTPRequestSerializer {
  /// How parameters become the text of a query or a form body.
  ///
  /// A custom style equals its copies, and no other style.
  public struct QueryStringStyle: Equatable, Sendable {
    /// Makes text of the request, as it was given, and the parameters.
    public typealias Make = @Sendable (Request, Parameters) throws -> String?

    let custom: ByIdentity<Make>?

    /// `a=1&b%5B%5D=2`; see ``queryString(from:encoding:)``.
    public static let `default` = QueryStringStyle(custom: nil)

    /// What a closure makes of the request, as it was given, and the parameters.
    ///
    /// - Parameter make: Returns `nil` for no query; what it throws comes out unchanged (REQ-H19). It is
    ///   not called when there are no parameters.
    /// - Returns: A style that equals its copies only.
    public static func custom(_ make: @escaping Make) -> QueryStringStyle {
      QueryStringStyle(custom: ByIdentity(make))
    }
  }
}
