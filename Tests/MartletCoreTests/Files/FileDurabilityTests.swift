import EssentialFoundation
import Foundation
import NIOCore
import Testing

@testable import MartletCore

/// How far a file is on its way to the disk when it has its name. `scripts/interop-disk` tests the system calls.
struct FileDurabilityTests {
  private let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)

  private func write(_ durability: FileDurability, of destination: FileDestination) throws {
    var destination = destination
    destination.durability = durability
    let partial = PartialFile(destination)
    // More than the size after which a durable file begins to go to the disk.
    for byte in 0..<3 as Range<UInt8> {
      try partial.write([ByteBuffer(repeating: byte, count: 5 << 20)])
      #expect(!FileManager.default.fileExists(atPath: file.path))
    }
    try partial.complete()
    partial.close()
  }

  @Test(arguments: [FileDurability.written, .onDisk])
  func `the file is whole when it has its name`(durability: FileDurability) throws {
    defer { try? FileManager.default.removeItem(at: file) }
    try write(durability, of: FileDestination(url: file))
    let data = try Data(contentsOf: file)
    #expect(data == Data((0..<3 as Range<UInt8>).flatMap { Data(repeating: $0, count: 5 << 20) }))
  }

  @Test func `nothing waits for the disk unless that is asked for`() throws {
    #expect(FileDestination(url: file).durability == .written)
    var request = try Request("http://h/")
    #expect(request.fileDurability == .written)
    request.fileDurability = .onDisk
    #expect(request.fileDurability == .onDisk)
    request.fileDurability = .written
    #expect(request.fileDurability == .written)
  }

  #if os(Linux)
  @Test(arguments: [FileDurability.written, .onDisk])
  func `a device that has nothing to sync can be finished`(durability: FileDurability) throws {
    let device = try OpenFile(
      URL(fileURLWithPath: "/dev/null"), options: [], durability: durability)
    try device.write(ByteBuffer(string: "tern"))
    try device.finish()
  }
  #endif
}
