/// What a slow proxy does to the connections through it. `Tests/Interop/slow_proxy.py` describes each part.
struct SlowScene: Encodable {
  /// What happens to the bytes of one direction.
  struct Direction: Encodable {
    /// Seconds from the arrival of bytes to their departure.
    var delay: Double?
    /// Up to how many more seconds, at random.
    var jitter: Double?
    /// Bytes per second.
    var rate: Double?
    /// After how many bytes of a connection the rate begins to count.
    var rateAfter: Int?
    /// After how many bytes of a connection no more are read.
    var stallAfter: Int?
    /// For how many seconds; without an end if it is `nil`.
    var stallFor: Double?
    /// After how many bytes a connection is reset.
    var resetAfter: Int?
  }

  let address = SlowNetwork.address
  /// The server's port.
  var port: Int
  /// From the client to the server.
  var up = Direction()
  /// From the server to the client.
  var down = Direction()
  /// Whether the first of two connections is held until the second has been answered.
  var reorders = false

  init(_ route: SlowNetwork.Route, up: Direction = Direction(), down: Direction = Direction()) {
    port = route.port
    self.up = up
    self.down = down
  }
}
