import Foundation
import Martlet
import SpecificationCoverage
import Testing

/// Parts that are files.
@Suite(.timeLimit(.minutes(5)))
struct MultipartFileTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test(
    .covers("T-REQ-08", "REQ-M13"),
    arguments: [
      ("adn.cer", "application/x-x509-ca-cert"), ("a.jpg", "image/jpeg"), ("A.PNG", "image/png"),
      ("a.tar.gz", "application/gzip"), ("a.json", "application/json"), ("a.txt", "text/plain"),
      ("a", "application/octet-stream"), ("a.", "application/octet-stream"),
      ("a.never heard of", "application/octet-stream"), (".html", "text/html"),
      ("gz", "application/octet-stream"),
      ("a.docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"),
    ])
  func `the media type is that of the extension`(name: String, type: String) async throws {
    let file = try folder.file(name, "x")
    let text = try await form { try $0.append(fileAt: file, name: "f") }.text()
    #expect(text.contains("filename=\"\(name)\"\r\nContent-Type: \(type)\r\n\r\nx\r\n--B--"))
  }

  @Test(.covers("REQ-M8", "REQ-M18"))
  func `file name and media type can be given`() async throws {
    let file = try folder.file("a.txt", "x")
    let text = try await form {
      try $0.append(fileAt: file, name: "f", fileName: "b.bin", mimeType: "a/b")
    }.text()
    #expect(text.contains("filename=\"b.bin\"\r\nContent-Type: a/b\r\n"))
  }

  @Test(.covers("REQ-M14"))
  func `what is no file URL is refused`() {
    let error = failure { try form { try $0.append(fileAt: .example, name: "f") } }
    #expect(error?.code == .notFileURL)
    #expect(error?.message == "Expected URL to be a file URL, not “http://example.com/”.")
  }

  @Test(.covers("REQ-M15"))
  func `a file that is missing is refused, and so is what lies behind a file`() throws {
    let file = try folder.file("a")
    for url in [folder.url.appendingPathComponent("none"), file.appendingPathComponent("b")] {
      let error = failure { try form { try $0.append(fileAt: url, name: "f") } }
      #expect(error?.code == .fileNotReachable)
      #expect(
        error?.message
          == "File URL not reachable: “\(url.path)” does not exist or cannot be read.")
    }
  }

  @Test(.covers("REQ-M16"))
  func `a directory is refused`() {
    let error = failure { try form { try $0.append(fileAt: folder.url, name: "f") } }
    #expect(error?.code == .fileNotReachable)
    #expect(
      error?.message
        == "“\(folder.url.path)” is not a regular file: read it yourself, and send it as a sequence."
    )
  }

  @Test(.covers("REQ-M15"), .enabled(if: getuid() != 0, "root may read everything"))
  func `a file that may not be read is refused`() throws {
    let file = try folder.file("a")
    #expect(chmod(file.path, 0) == 0)
    let error = failure { try form { try $0.append(fileAt: file, name: "f") } }
    #expect(
      error?.message
        == "File URL not reachable: “\(file.path)” does not exist or cannot be read.")
  }

  #if os(Linux)
  @Test(.covers("REQ-M27", "REQ-M32"))
  func `a file whose reading fails is an error`() async throws {
    // Nothing is mapped at address 0, also for root.
    let file = URL(fileURLWithPath: "/proc/self/mem")
    let (body, _) = try form { try $0.append(fileAt: file, name: "f") }.encoded()
    await #expect {
      _ = try await body.chunks()
    } throws: {
      ($0 as? MartletError)?.message
        == "File URL not reachable: “/proc/self/mem” does not exist or cannot be read."
    }
  }
  #endif

  @Test(.covers("REQ-M6"))
  func `a closure may do without a file that is refused`() async throws {
    let text = try await form {
      try? $0.append(fileAt: folder.url, name: "f")
      $0.append(text: "1", name: "a")
    }.text()
    #expect(!text.contains("\"f\""))
  }

  @Test(.covers("REQ-M17", "REQ-M25", "REQ-M27", "REQ-M32"))
  func `a file is opened when it is read, and is an error when it is gone by then`() async throws {
    let file = try folder.file("a", "x")
    let (body, _) = try form { try $0.append(fileAt: file, name: "f") }.encoded()
    try FileManager.default.removeItem(at: file)
    await #expect {
      _ = try await body.chunks()
    } throws: {
      ($0 as? MartletError)?.message
        == "File URL not reachable: “\(file.path)” does not exist or cannot be read."
    }
  }

  @Test(
    .covers("REQ-M17", "REQ-M22"),
    arguments: [
      (0, 1), (1, 0), (10, 9), (10, 11), (512 << 10, (512 << 10) + 1), (600_000, 512 << 10),
    ])
  func `a file whose length has changed is an error`(before: Int, after: Int) async throws {
    let file = try folder.file("a", String(repeating: "x", count: before))
    let (body, _) = try form { try $0.append(fileAt: file, name: "f") }.encoded()
    try Data(count: after).write(to: file)
    await #expect {
      _ = try await body.chunks()
    } throws: {
      let error = $0 as? MartletError
      return error?.code == .bodyLengthMismatch
        && error?.message
          == "“\(file.path)” became \(after > before ? "longer" : "shorter") before it was sent: do not change it while it is sent, or send a copy."
    }
  }

  @Test(arguments: [0, 1, 512 << 10, (512 << 10) + 1, 1 << 20])
  func `files of any length are sent whole`(count: Int) async throws {
    let file = try folder.file("a", String(repeating: "x", count: count))
    let text = try await form { try $0.append(fileAt: file, name: "f", mimeType: "a/b") }.text()
    #expect(text.hasSuffix("a/b\r\n\r\n\(String(repeating: "x", count: count))\r\n--B--\r\n"))
  }

  @Test func `a part of a file that grows all the time is sent when its length is given`()
    async throws
  {
    let file = try folder.file("a", "12345")
    let log = try RequestBody.file(at: file, offset: 1, length: 3)
    let (body, _) = try form {
      try $0.append(log, name: "f", fileName: "a", mimeType: "a/b")
    }.encoded()
    try Data("1234567".utf8).write(to: file)
    #expect(try await body.collected().contains("\r\n\r\n234\r\n--"))
  }
}
