import MartletTesting

/// A step of a random program of tasks of a session.
///
/// Numbers choose among the tasks that there are when the step runs.
enum SessionOperation: Hashable, Sendable {
  /// What a task does. Some have a server that cuts its responses short, or one whose certificate has another name.
  enum Kind: CaseIterable, Sendable {
    case data, cached, upload, stream, download, cutShort, cutShortDownload, misnamed

    var isDownload: Bool { self == .download || self == .cutShortDownload }
    var isCutShort: Bool { self == .cutShort || self == .cutShortDownload }
  }

  case begin(Kind, size: Int)
  case suspend(Int)
  case resume(Int)
  case cancel(Int)
  case clearCache
  case changePolicy
  case invalidate(cancelsTasks: Bool)
  case passTime(milliseconds: Int)

  /// A program that is the same for the same seed.
  static func program(seed: UInt64, count: Int) -> [SessionOperation] {
    var random = SeededGenerator(seed: seed)
    return (0..<count).map { _ in Self.random(&random) }
  }

  private static func random(_ random: inout SeededGenerator) -> SessionOperation {
    let number = Int.random(in: 0..<1000, using: &random)
    return switch number % 40 {
    case 0..<16: begin(&random)
    case 16..<20: .suspend(number)
    case 20..<27: .resume(number)
    case 27..<31: .cancel(number)
    case 31: .clearCache
    case 32, 33: .changePolicy
    case 34: .invalidate(cancelsTasks: number % 3 == 0)
    default: .passTime(milliseconds: number % 4)
    }
  }

  private static func begin(_ random: inout SeededGenerator) -> SessionOperation {
    let kind = Kind.allCases[Int.random(in: 0..<Kind.allCases.count, using: &random)]
    let isLarge = Int.random(in: 0..<5, using: &random) == 0
    return .begin(kind, size: Int.random(in: 1...(isLarge ? 400_000 : 5_000), using: &random))
  }
}
