import Benchmark
import Foundation
import Martlet
import NIOCore

/// A file of 1 GiB that takes no room on the disk.
private let file: URL = {
  let file = FileManager.default.temporaryDirectory.appendingPathComponent("martlet-micro.bin")
  FileManager.default.createFile(atPath: file.path, contents: nil)
  try? FileHandle(forWritingTo: file).truncate(atOffset: 1 << 30)
  return file
}()

func forms() {
  Benchmark(
    "form, a file of 1 GiB, read to its end",
    configuration: .init(warmupIterations: 1, maxDuration: .seconds(20)),
    closure: { benchmark in
      var form = MultipartFormData()
      form.append(text: "A tern", name: "caption")
      try form.append(fileAt: file, name: "photo")
      let body = form.encoded().body
      guard case .producer(let produce) = body.source else {
        return benchmark.error("The form is held in memory.")
      }
      try await produce { chunk in blackHole(chunk.readableBytes) }
    },
    teardown: { try FileManager.default.removeItem(at: file) })

  Benchmark("form, 2000 fields", configuration: .init(scalingFactor: .one)) { benchmark in
    var form = MultipartFormData()
    for number in 0..<2000 { form.append(text: "value \(number)", name: "name \(number)") }
    blackHole(form.encoded())
  }
}
