import EssentialFoundation
import NIOCore

extension Body {
  /// A body that cannot be sent: sending it throws `error`.
  static func failing(_ error: MartletError) -> Body {
    Body(source: .producer { _ in throw error }, length: nil, isReplayable: true)
  }

  /// Bytes that are more than one buffer holds.
  static func pieces(of data: Data) -> Body {
    .producer(length: Int64(data.count)) { write in
      var rest = data
      while !rest.isEmpty {
        try await write(ByteBuffer(bytes: rest.prefix(pieceSize)))
        rest = rest.dropFirst(pieceSize)
      }
    }
  }

  /// 1 MiB.
  private static let pieceSize = 1 << 20
}
