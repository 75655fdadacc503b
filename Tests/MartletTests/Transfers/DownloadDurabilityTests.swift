import EssentialFoundation
import Foundation
import Testing

@testable import MartletCore
@testable import MartletEssentials

/// Which downloads wait for the disk.
struct DownloadDurabilityTests {
  private let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)

  private func plan(resuming data: ResumeData? = nil) -> DownloadPlan {
    DownloadPlan(partial: file, resuming: data) { _, _ in .cancelled }
  }

  @Test func `a new download is as durable as its request requires`() throws {
    var request = try Request("http://h/")
    #expect(plan().durability(of: request) == .written)
    request.fileDurability = .onDisk
    #expect(plan().durability(of: request) == .onDisk)
  }

  @Test func `a download that another process may continue is on the disk`() throws {
    let request = try Request("http://h/")
    let data = ResumeData(url: request.url, headers: request.headers, file: file)
    #expect(plan(resuming: data).durability(of: request) == .onDisk)
    var stored = plan()
    stored.record = { _ in }
    #expect(stored.durability(of: request) == .onDisk)
  }
}
