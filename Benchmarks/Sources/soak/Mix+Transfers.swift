import Foundation
import HTTPTypes
import Martlet
import NIOCore

/// Downloads and uploads, and bodies that are not read to their end.
extension Mix {
  private static let mebibyte = 1 << 20

  func download(_ number: Int) -> Step {
    Step(name: "download") {
      let file = folder.appendingPathComponent("\(number)")
      var request = try managers["tls"].request(.get, "mib")
      request.delivery = .file(at: file)
      _ = try await managers["tls"].send(request)
      try checkAndRemove(file)
    }
  }

  /// A download that is cancelled when its first bytes arrive, and continued.
  func resumed(_ number: Int) -> Step {
    Step(name: "resumed download") {
      let api = try managers["tls"]
      let file = folder.appendingPathComponent("\(number)")
      let store = DownloadStore(folder: folder.appendingPathComponent("downloads"))
      do {
        let call = Call()
        call.observe { [weak call] event in
          if case .bodyReceived = event.kind { call?.cancel() }
        }
        // The whole file may have arrived before.
        _ = try await api.download(
          "mib?\(number)", to: file, store: store, configure: { $0.call = call })
      } catch let error as MartletError where error.code == .cancelled {
        let rest = try await api.download("mib?\(number)", to: file, store: store)
        if rest.response.status == .partialContent { tally.note(.resumption) }
      }
      try checkAndRemove(file)
    }
  }

  private func checkAndRemove(_ file: URL) throws {
    let size = try FileManager.default.attributesOfItem(atPath: file.path)[.size] as? Int
    try FileManager.default.removeItem(at: file)
    try expect(size == Self.mebibyte, "\(size ?? 0) bytes")
  }

  var upload: Step {
    Step(name: "upload") {
      var request = try managers["upload"].request(.put, "upload")
      request.body = .producer(length: nil) { write in
        for _ in 0..<8 { try await write(ByteBuffer(repeating: 0, count: 32 << 10)) }
      }
      let response = try await managers["upload"].send(request)
      let text = String(buffer: try await response.body.collect())
      try expect(text == "262144", "\(text) bytes arrived")
    }
  }

  var form: Step {
    Step(name: "form") {
      let response = try await managers["upload"].post("form", parameters: ["name": "tern"]) {
        try $0.append(
          fileData: Data(count: 64 << 10), name: "photo", fileName: "tern.jpg",
          mimeType: "image/jpeg")
      }
      let text = String(buffer: try await response.body.collect())
      try expect(Int(text) ?? 0 > 64 << 10, "\(text) bytes arrived")
    }
  }

  /// A body that is streamed, and left after its first bytes.
  func partly(_ name: String) -> Step {
    Step(name: "stream \(name)") {
      var request = try managers[name].request(.get, "mib")
      request.delivery = .stream
      for try await chunk in try await managers[name].send(request).body {
        try expect(chunk.readableBytes > 0, "an empty chunk")
        break
      }
    }
  }

  /// A stream whose reader is cancelled after the first bytes.
  func cancelledTask(_ name: String) -> Step {
    Step(name: "cancel task", goal: .cancellation) {
      var request = try managers[name].request(.get, "mib")
      request.delivery = .stream
      for try await _ in try await managers[name].send(request).body {
        withUnsafeCurrentTask { $0?.cancel() }
      }
    }
  }

  /// A call that is cancelled when the first bytes of its body arrive.
  func cancelledCall(_ name: String) -> Step {
    Step(name: "cancel call", goal: .cancellation) {
      var request = try managers[name].request(.get, "mib")
      let call = Call()
      request.call = call
      call.observe { [weak call] event in
        if case .bodyReceived = event.kind { call?.cancel() }
      }
      _ = try await managers[name].send(request)
    }
  }
}
