/// A change of an engine's connections to one server.
public struct ConnectionChange: Sendable {
  /// Called for changes on the event loop of the connection: it must be quick and must not block.
  public typealias Observer = @Sendable (ConnectionChange) -> Void

  /// How many more connections carry requests than before; negative if there are fewer.
  public var active: Int
  /// How many more connections are idle than before; negative if there are fewer.
  public var idle: Int
  /// How long the connection was open, if one has been closed.
  public var closedAfter: Duration?

  /// A change from its parts.
  public init(active: Int = 0, idle: Int = 0, closedAfter: Duration? = nil) {
    self.active = active
    self.idle = idle
    self.closedAfter = closedAfter
  }
}
