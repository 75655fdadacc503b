import Foundation

/// The processor time of each event loop of the process, by the name that SwiftNIO gives its threads.
struct LoopTimes {
  /// In ticks of the system's clock.
  private let ticks: [Int]

  /// The times of the loops now. They are empty on systems without `/proc`.
  init() {
    let folder = "/proc/self/task"
    let threads = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    ticks = threads.compactMap { thread in
      guard let stat = try? String(contentsOfFile: "\(folder)/\(thread)/stat", encoding: .utf8),
        let end = stat.lastIndex(of: ")"),
        stat[..<end].contains("(NIO-ELT-")
          || stat[..<end].contains("(NIO-SGLTN-")
      else { return nil }
      // After the name come the state and ten numbers, then the time in user mode and in the kernel (proc(5)).
      let numbers = stat[end...].split(separator: " ").dropFirst()
      return numbers.dropFirst(11).prefix(2).compactMap { Int($0) }.reduce(0, +)
    }
  }

  /// The time of the loop that has used least, in percent of the time of all loops, of which there are `count`.
  func leastShare(of count: Int) -> Int {
    // Other loops of the process have done nothing.
    let used = ticks.sorted(by: >).prefix(count)
    guard used.count == count, let least = used.last else { return 0 }
    return least * 100 / max(used.reduce(0, +), 1)
  }
}
