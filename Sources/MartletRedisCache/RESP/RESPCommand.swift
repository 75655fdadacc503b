import NIOCore

/// A command in RESP2, with the type of its reply.
struct RESPCommand: Sendable {
  /// The types of replies. Each command may also be answered by an error.
  enum Reply: Sendable {
    /// A simple string, or none.
    case status
    case integer
    case bulk
    case array

    func accepts(_ value: RESPValue) -> Bool {
      switch (self, value) {
      case (_, .error), (.status, .simple), (.status, .bulk(nil)), (.integer, .integer),
        (.bulk, .bulk), (.array, .array):
        true
      default: false
      }
    }
  }

  /// The name, for messages.
  let name: String
  let reply: Reply
  private let arguments: [any RESPArgument]

  init(_ name: String, _ arguments: any RESPArgument..., reply: Reply) {
    self.init(name, arguments: arguments, reply: reply)
  }

  init(_ name: String, arguments: [any RESPArgument], reply: Reply) {
    self.name = name
    self.arguments = arguments
    self.reply = reply
  }

  /// Returns commands that the server runs together or not at all. The last of them replies with an array of the
  /// replies.
  static func transaction(_ commands: [RESPCommand]) -> [RESPCommand] {
    let queued = commands.map { RESPCommand($0.name, arguments: $0.arguments, reply: .status) }
    return [RESPCommand("MULTI", reply: .status)] + queued + [RESPCommand("EXEC", reply: .array)]
  }

  /// Writes the command as an array of bulk strings.
  func write(to buffer: inout ByteBuffer) {
    buffer.writeString("*\(arguments.count + 1)\r\n")
    buffer.write(ByteBuffer(string: name))
    for argument in arguments { buffer.write(argument.bytes) }
  }
}

/// An argument of a command.
protocol RESPArgument: Sendable {
  var bytes: ByteBuffer { get }
}

extension String: RESPArgument {
  var bytes: ByteBuffer { ByteBuffer(string: self) }
}

extension Int64: RESPArgument {
  var bytes: ByteBuffer { ByteBuffer(string: "\(self)") }
}

extension ByteBuffer: RESPArgument {
  var bytes: ByteBuffer { self }
}

extension ByteBuffer {
  fileprivate mutating func write(_ argument: ByteBuffer) {
    writeString("$\(argument.readableBytes)\r\n")
    writeImmutableBuffer(argument)
    writeString("\r\n")
  }
}
