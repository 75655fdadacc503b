import Foundation
import Martlet
import MartletTesting

/// Downloads.
extension DemoStep {
  static let download = DemoStep(title: "download to a file") { stage in
    let file = stage.folder.appending(path: "download.bin")
    let bar = LiveProgress(on: .output)
    _ = try await stage.api.download("slow-download", to: file) { bar.update($0) }
    bar.finish()
    let size = try FileManager.default.attributesOfItem(atPath: file.path)[.size] as? Int
    try check(size == DemoStage.downloadSize, "\(DemoStage.downloadSize) bytes")
    return "\(ByteCount.text(Int64(DemoStage.downloadSize))), never held in memory"
  }
}
