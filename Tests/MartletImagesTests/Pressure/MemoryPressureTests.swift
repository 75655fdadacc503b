import Foundation
import Martlet
import MartletTesting
import SpecificationCoverage
import TestTiming
import Testing

@testable import MartletImages

@Suite(.timeLimit(.minutes(5)))
struct MemoryPressureTests {
  private let memory = ManualMemory()
  private let pressure: MemoryPressure

  init() {
    pressure = MemoryPressure(memory)
  }

  private func cache() throws -> AutoPurgingImageCache {
    let cache = AutoPurgingImageCache(memoryPressure: pressure)
    cache.add(try RasterImage(Data("6x4".utf8), decoder: StubDecoder()), withIdentifier: "tern")
    return cache
  }

  @Test(.covers("IMC-12"))
  func `caches are emptied when memory runs short, each time`() throws {
    let (one, other) = (try cache(), try cache())
    memory.runShort()
    #expect(one.memoryUsage == 0)
    #expect(other.memoryUsage == 0)
    one.add(try RasterImage(Data("6x4".utf8), decoder: StubDecoder()), withIdentifier: "tern")
    memory.runShort()
    #expect(one.memoryUsage == 0)
  }

  @Test func `one watches for all, from the first cache to the last`() throws {
    #expect(memory.watches == 0)
    var caches = [try cache(), try cache()]
    #expect(memory.watches == 1)
    caches.removeLast()
    #expect(memory.watches == 1)
    caches = []
    #expect(memory.watches == 0)
    caches = [try cache()]
    #expect(memory.watches == 1)
    memory.runShort()
    #expect(caches[0].memoryUsage == 0)
  }

  @Test func `a cache that wants none is left alone`() throws {
    let cache = AutoPurgingImageCache(memoryPressure: nil)
    #expect(memory.watches == 0)
    #expect(cache.memoryUsage == 0)
  }

  @Test func `warnings come as a sequence, until its reader stops`() async throws {
    let reader = Task { [pressure] in
      var count = 0
      for await _ in pressure.warnings {
        count += 1
        if count == 2 { break }
      }
      return count
    }
    try await eventually { memory.watches == 1 }
    try await eventually {
      memory.runShort()
      return memory.watches == 0
    }
    #expect(await reader.value == 2)
  }

  @Test func `where the system reports nothing, the sequence ends, and caches work all the same`()
    async throws
  {
    let silent = MemoryPressure(ManualMemory(isObservable: false))
    #expect(!silent.isObservable)
    for await _ in silent.warnings { Issue.record("a warning of nobody") }
    let cache = AutoPurgingImageCache(memoryPressure: silent)
    cache.add(try RasterImage(Data("6x4".utf8), decoder: StubDecoder()), withIdentifier: "tern")
    #expect(cache.memoryUsage == 96)
  }
}
