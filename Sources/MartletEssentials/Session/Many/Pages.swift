import EssentialFoundation
import MartletCore

/// The pages of a list, loaded one after the other as they are needed.
///
///     for try await users in api.pages("users", parameters: ["limit": 100], as: [User].self) {
///       print(users.count)
///     }
///
/// The pages end when there is no next page, or when the loop is left. The request for the next page has the method,
/// header fields and options of the first. If the next page is on another server, the request has no credentials, as
/// after a redirect.
public struct Pages<Value: Sendable>: AsyncSequence, Sendable {
  typealias Load = @Sendable (Request) async throws -> (Response, Value)

  let first: Result<Request, MartletError>
  let next: NextPage<Value>
  /// Whether a next page may be unencrypted.
  let policy: RedirectPolicy
  let load: Load

  /// Returns an iterator that begins with the first page.
  public func makeAsyncIterator() -> Iterator {
    Iterator(request: first, next: next, policy: policy, load: load)
  }

  /// Loads one page after the other.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate var request: Result<Request, MartletError>?
    fileprivate let next: NextPage<Value>
    fileprivate let policy: RedirectPolicy
    fileprivate let load: Load
    private var loaded: Set<URL> = []

    fileprivate init(
      request: Result<Request, MartletError>, next: NextPage<Value>, policy: RedirectPolicy,
      load: @escaping Load
    ) {
      self.request = request
      self.next = next
      self.policy = policy
      self.load = load
    }

    /// Loads the next page; `nil` after the last. After an error, there are no more pages.
    ///
    /// - Throws: `MartletError`: with code `.invalidURL`, `.unsupportedScheme` or `.insecureRedirect` for a next page
    ///   whose URL cannot be used, with code `.malformedResponse` for a next page that was loaded before, or that of
    ///   the request.
    public mutating func next() async throws -> Value? {
      guard let current = try request.take()?.get() else { return nil }
      let (response, value) = try await load(current)
      loaded.insert(current.url.withoutUserInfo)
      do {
        request = try requestAfter(current, response, value).map { .success($0) }
      } catch {
        request = .failure(.wrapping(error))
      }
      return value
    }

    /// Returns the request for the page after a page; `nil` after the last.
    private func requestAfter(_ current: Request, _ response: Response, _ value: Value) throws
      -> Request?
    {
      guard let url = try next.url(after: response, value, of: current) else { return nil }
      guard !loaded.contains(url.withoutUserInfo) else {
        throw MartletError.repeatedPage(url, after: current.url)
      }
      return try (current.options.redirectPolicy ?? policy).request(current, movedTo: url)
    }

    /// Loads the next page, called by `for await`, which passes its own actor.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws -> Value? {
      try await next()
    }
  }
}

/// Where the next page of a list is.
public struct NextPage<Value: Sendable>: Sendable {
  private let find: @Sendable (Response, Value, Request) throws -> URL?

  /// The link with the relation `next` in the `Link` fields of the response (RFC 8288).
  public static var link: NextPage {
    NextPage { response, _, _ in
      try LinkFields(response.headers).target(of: "next").map {
        try URL(escaping: $0, relativeTo: response.url).absoluteURL
      }
    }
  }

  /// A URL in the value of the page, absolute or relative to the page; `nil` or an empty text for the last page.
  public static func url(_ url: @escaping @Sendable (Value) -> String?) -> NextPage {
    NextPage { response, value, _ in
      guard let text = url(value), !text.isEmpty else { return nil }
      return try URL(escaping: text, relativeTo: response.url).absoluteURL
    }
  }

  /// A cursor in the value of the page, which the request for the next page has as a parameter of its query.
  ///
  ///     api.pages("events", as: EventPage.self, next: .cursor("after") { $0.nextCursor })
  ///
  /// - Parameters:
  ///   - name: The name of the parameter.
  ///   - cursor: Returns the cursor; `nil` or an empty text for the last page.
  /// - Returns: The rule.
  public static func cursor(
    _ name: String, _ cursor: @escaping @Sendable (Value) -> String?
  ) -> NextPage {
    NextPage { _, value, request in
      guard let text = cursor(value), !text.isEmpty else { return nil }
      return try request.url.replacingQueryItem(QueryStringPair(field: name, value: text))
    }
  }

  /// Returns the URL of the page after a page; `nil` after the last.
  fileprivate func url(after response: Response, _ value: Value, of request: Request) throws -> URL?
  {
    try find(response, value, request)
  }
}

extension URL {
  /// Returns the URL with a parameter in its query, in place of parameters with the same name.
  fileprivate func replacingQueryItem(_ item: QueryStringPair) throws(MartletError) -> URL {
    var parts = URLReference(absoluteString)
    let others = (parts.query?.text ?? "").split(separator: "&").filter { other in
      let name = other.prefix { $0 != "=" }
      return name.percentDecoded != item.field
    }
    let query = others.map(String.init) + [item.percentEscaped]
    parts.query = Array(query.joined(separator: "&").utf8)[...]
    do throws(URLProblem) {
      return try parts.url()
    } catch {
      throw .queryNotUsable(query.joined(separator: "&"))
    }
  }
}

extension MartletError {
  /// A list whose pages would never end.
  fileprivate static func repeatedPage(_ url: URL, after page: URL) -> MartletError {
    MartletError(
      .malformedResponse,
      "The page \(page.masked) names \(url.masked) as its next page, which was loaded before: report it to the operator of the server.",
      phase: .receive)
  }
}
