import EssentialFoundation
import Foundation
import Testing

@testable import Martlet
@testable import MartletEssentials

/// Cookies on disk.
@Suite(.timeLimit(.minutes(5)))
struct CookieFileTests {
  private let folder: TemporaryFolder
  private let place: URL

  init() throws {
    folder = try TemporaryFolder()
    place = folder.url.appendingPathComponent("cookies.txt")
  }

  private func write(_ text: String) throws { try Data(text.utf8).write(to: place) }
  private var text: String? { try? String(contentsOf: place, encoding: .utf8) }

  private var lines: [String] {
    (text ?? "").split(separator: "\n").filter { !$0.hasPrefix("# ") }.map { String($0) }
  }

  /// A jar with what the file holds, and the file that it came from.
  private func load() throws -> (CookieJar, CookieFile) {
    let (jar, file) = (CookieJar(), CookieFile(place))
    try file.load(into: jar)
    return (jar, file)
  }

  private func cookie(
    _ name: String, _ value: String, path: String = "/", expires: Double? = 4_102_444_800
  ) -> Cookie {
    Cookie(
      name: name, value: value, domain: "a.example", path: path,
      expires: expires.map { Date(timeIntervalSince1970: $0) })
  }

  private static let line = "a.example\tFALSE\t/\tFALSE\t4102444800\ta\t1"

  @Test func `a jar is written as others read it`() throws {
    let jar = CookieJar()
    try jar.set(cookie("a", "1"))
    try jar.set(
      Cookie(
        name: "b", value: "x=y z\t\"", domain: "b.example", isHostOnly: false, path: "/p",
        isSecure: true, isHTTPOnly: true))
    try jar.set(Cookie(name: "", value: "nameless", domain: "::1"))
    try CookieFile(place).save(jar)
    #expect(
      text == """
        # Netscape HTTP Cookie File
        # Written by Martlet: cookies are kept, other comments are not.

        a.example\tFALSE\t/\tFALSE\t4102444800\ta\t1
        #HttpOnly_.b.example\tTRUE\t/p\tTRUE\t0\tb\tx=y z\t"
        ::1\tFALSE\t/\tFALSE\t0\t\tnameless

        """)
    let (again, _) = try load()
    #expect(again.cookies.map(\.undated) == jar.cookies.map(\.undated))
    let mode = try FileManager.default.attributesOfItem(atPath: place.path)[.posixPermissions]
    #expect(mode as? Int == 0o600)
    #expect(try folder.names == ["cookies.txt"])
  }

  @Test func `what others write is read`() throws {
    try write(
      "\u{FEFF}# HTTP Cookie File\r\n\r\n# by somebody\r\n"
        + ".A.Example\ttrue\t/\tfalse\t\ta\t1\r\n"
        + "#HttpOnly_b.example\tFALSE\t/x\tTRUE\t4102444800.75\tb\t\r\n"
        + "c.example\tFALSE\t/\tFALSE\t0\tc\r\n"
        + "d.example\tFALSE\t/\tFALSE\t1\td\told\n"
        + "e.example\tTRUE\t/\tFALSE\t99999999999999999999\te\t1")
    let (jar, _) = try load()
    #expect(jar.cookies.map(\.pair) == ["a=1", "b=", "c=", "e=1"])
    #expect(jar.cookies.map(\.domain) == ["a.example", "b.example", "c.example", "e.example"])
    #expect(jar.cookies.map(\.isHostOnly) == [false, true, true, false])
    #expect(jar.cookies.map(\.isHTTPOnly) == [false, true, false, false])
    #expect(jar.cookies.map(\.isSecure) == [false, true, false, false])
    #expect(
      jar.cookies.map(\.expires) == [
        nil, Date(timeIntervalSince1970: 4_102_444_800), nil,
        Date(timeIntervalSince1970: 1e20),
      ])
  }

  @Test(arguments: [
    "", "\n\n", "# Netscape HTTP Cookie File\n", "a.example\tFALSE\t/\tFALSE\t0\ta\t1",
  ])
  func `a file may have no cookies, or no title`(text: String) throws {
    try write(text)
    let (jar, file) = try load()
    try jar.set(cookie("b", "2"))
    try file.save(jar)
    #expect(lines.last == "a.example\tFALSE\t/\tFALSE\t4102444800\tb\t2")
  }

  @Test func `a file that is not there has no cookies, and is made`() throws {
    let (jar, file) = try load()
    #expect(jar.isEmpty)
    try file.save(jar)
    #expect(text?.hasPrefix("# Netscape HTTP Cookie File\n") == true)
  }

  @Test(arguments: [
    ("a.example\tFALSE\t/\tFALSE\t0\n", 1), ("# HTTP Cookie File\n\nhello\n", 3),
    ("a.example\tyes\t/\tFALSE\t0\ta\t1", 1), ("a.example\tTRUE\t/\tno\t0\ta\t1", 1),
    ("a.example\tTRUE\tx\tFALSE\t0\ta\t1", 1), ("a.example\tTRUE\t/\tFALSE\tsoon\ta\t1", 1),
    ("a.example\tTRUE\t/\tFALSE\tnan\ta\t1", 1), ("\tTRUE\t/\tFALSE\t0\ta\t1", 1),
    ("a.example TRUE / FALSE 0 a 1", 1), ("..a\tTRUE\t/\tFALSE\t0\ta\t1", 1),
    ("a.example\tTRUE\t/\tFALSE\t0\ta\t1\u{1}", 1), ("ä.example\tTRUE\t/\tFALSE\t0\ta\t1", 1),
    ("[{\"domain\": \"a.example\"}]", 1),
    (Self.line + "\n" + Self.line + "\n#HttpOnly_nonsense\n", 3),
    ("#LWP-Cookies-2.0\nSet-Cookie3: a=1\n", 2),
  ])
  func `a line that is no cookie is named, and the file stays`(text: String, number: Int) throws {
    try write(text)
    let jar = CookieJar()
    try jar.set(cookie("b", "2"))
    let errors = [
      #expect(throws: MartletError.self) { try CookieFile(place).load(into: jar) },
      #expect(throws: MartletError.self) { try CookieFile(place).save(jar) },
    ]
    for error in errors {
      #expect(error?.code == .invalidCookieFile)
      #expect(
        error?.message
          == "Line \(number) of “\(place.path)” is not a cookie (seven fields separated by tabs): correct it, or choose another file. This one was not changed."
      )
    }
    #expect(self.text == text)
    #expect(try folder.names == ["cookies.txt"])
    #expect(jar.cookies.count == 1)
  }

  @Test func `a file of other comments stays as it is`() throws {
    try write("# my notes\n# on cookies\n")
    let error = #expect(throws: MartletError.self) { try CookieFile(place).save(CookieJar()) }
    #expect(error?.code == .invalidCookieFile)
    #expect(
      error?.message
        == "“\(place.path)” is not a cookie file, which must begin with the line “# Netscape HTTP Cookie File”: choose another file. This one was not changed."
    )
    #expect(text == "# my notes\n# on cookies\n")
  }

  @Test func `bytes that are no text stay`() throws {
    let bytes = Data([0x53, 0x51, 0x4C, 0x69, 0x74, 0x65, 0x0A, 0xFF, 0xFE, 0x00])
    try bytes.write(to: place)
    let error = #expect(throws: MartletError.self) { try CookieFile(place).save(CookieJar()) }
    #expect(error?.message.hasPrefix("Line 1 of ") == true)
    #expect(try Data(contentsOf: place) == bytes)
  }

  @Test(arguments: [
    ("folder", "must be a regular file"), ("device", "must be a regular file"),
    ("pipe", "must be a regular file"), ("large", "may have 64 MiB at most"),
  ])
  func `what is no file of cookies by its kind or size is an error`(kind: String, rule: String)
    throws
  {
    switch kind {
    case "folder":
      try FileManager.default.createDirectory(at: place, withIntermediateDirectories: false)
    case "device": try #require(symlink("/dev/zero", place.path) == 0)
    case "pipe": try #require(mkfifo(place.path, 0o600) == 0)
    default:
      try write("")
      try #require(truncate(place.path, (64 << 20) + 1) == 0)
    }
    let error = #expect(throws: MartletError.self) { try CookieFile(place).load(into: CookieJar()) }
    #expect(error?.code == .invalidCookieFile)
    #expect(
      error?.message
        == "“\(place.path)” is not a cookie file, which \(rule): choose another file. This one was not changed."
    )
  }

  @Test func `a folder in a file's place, and a folder that is missing, are errors`() throws {
    let jar = CookieJar()
    let error = #expect(throws: MartletError.self) { try CookieFile(folder.url).load(into: jar) }
    #expect(error?.code == .invalidCookieFile)
    let lost = folder.url.appendingPathComponent("nowhere/cookies.txt")
    let other = #expect(throws: MartletError.self) { try CookieFile(lost).save(jar) }
    #expect(other?.code == .fileNotWritable)
    #expect(
      other?.message
        == "“\(lost.path)” could not be written: No such file or directory."
    )
  }

  @Test func `a file that fails to be read is an error, and so is a path through one`() throws {
    try write("")
    for path in ["/proc/self/mem", place.path + "/x"] {
      let file = URL(fileURLWithPath: path)
      let error = #expect(throws: MartletError.self) {
        try CookieFile(file).load(into: CookieJar())
      }
      #expect(error?.code == .fileNotReachable)
    }
  }

  @Test func `a user's own file with the name of the lock stays`() throws {
    let own = place.appendingPathExtension("lock")
    try Data("notes".utf8).write(to: own)
    try CookieFile(place).save(CookieJar())
    #expect(try String(contentsOf: own, encoding: .utf8) == "notes")
    #expect(try folder.names == ["cookies.txt", "cookies.txt.lock"])
  }

  @Test func `a file that is there keeps its mode`() throws {
    try write("")
    try #require(chmod(place.path, 0o640) == 0)
    let jar = CookieJar()
    try jar.set(cookie("a", "1"))
    try CookieFile(place).save(jar)
    #expect(lines == [Self.line])
    let mode = try FileManager.default.attributesOfItem(atPath: place.path)[.posixPermissions]
    #expect(mode as? Int == 0o640)
  }

  @Test func `a link leads to the file, and stays`() throws {
    try write("")
    let link = folder.url.appendingPathComponent("link")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: place)
    let jar = CookieJar()
    try jar.set(cookie("a", "1"))
    try CookieFile(link).save(jar)
    #expect(lines == [Self.line])
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link.path) == place.path)
  }

  @Test func `cookies that no server could set are left out, and stay in the file`() throws {
    try write(
      ".com\tTRUE\t/\tFALSE\t0\ta\t1\n" + "a.example\tFALSE\t/\tFALSE\t0\t__Host-a\t1\n"
        + "a.example\tFALSE\t/\tFALSE\t0\tb\t2;\n" + "a.example\tFALSE\t/\tFALSE\t0\tc\t3\n")
    let (jar, file) = try load()
    #expect(jar.cookies.map(\.pair) == ["c=3"])
    try file.save(jar)
    #expect(lines.count == 4)
    #expect(jar.cookies.map(\.pair) == ["c=3"])
  }

  @Test func `a cookie that has expired in the file leaves that of the jar`() throws {
    try write("a.example\tFALSE\t/\tFALSE\t1\ta\told\n")
    let (jar, file) = (CookieJar(), CookieFile(place))
    try jar.set(cookie("a", "1"))
    try file.load(into: jar)
    #expect(jar.cookies.map(\.pair) == ["a=1"])
    try file.save(jar)
    #expect(lines == [Self.line])
  }

  @Test func `session cookies can be left out of a file`() throws {
    let jar = CookieJar()
    try jar.set(cookie("a", "1"))
    try jar.set(cookie("b", "2", expires: nil))
    try CookieFile(place).save(jar, sessionCookies: false)
    #expect(lines == [Self.line])
    #expect(jar.cookies.count == 2)
    // Nor do others' stay, in the file or out of the jar.
    try write(Self.line + "\na.example\tFALSE\t/\tFALSE\t0\tc\t3\n")
    let (other, file) = try load()
    for _ in 0..<2 {
      try file.save(other, sessionCookies: false)
      #expect(lines == [Self.line])
      #expect(other.cookies.map(\.pair) == ["a=1", "c=3"])
    }
  }

  @Test func `what is too much for a jar stays in the file`() throws {
    try write((0..<60).map { "a.example\tFALSE\t/\tFALSE\t0\tc\($0)\tx\n" }.joined())
    let (jar, file) = try load()
    #expect(jar.cookies.count == 50)
    try file.save(jar)
    try file.save(jar)
    #expect(lines.count == 60)
  }

  @Test func `a tab in a name cannot be written`() throws {
    let jar = CookieJar()
    try jar.set(cookie("a\tb", "1"))
    try jar.set(cookie("a", "1"))
    try CookieFile(place).save(jar)
    #expect(lines == [Self.line])
    #expect(jar.cookies.count == 2)
  }

  // MARK: Several processes

  @Test func `what another process has added, changed and removed is kept and taken over`() throws {
    try write("# HTTP Cookie File\n" + Self.line + "\n")
    let (mine, myFile) = try load()
    let (theirs, theirFile) = try load()
    try mine.set(cookie("mine", "1"))
    try theirs.set(cookie("theirs", "1"))
    try theirs.set(cookie("a", "2"))
    try theirFile.save(theirs)
    try myFile.save(mine)
    #expect(mine.cookies.map(\.pair).sorted() == ["a=2", "mine=1", "theirs=1"])
    #expect(lines.count == 3)
    theirs.remove(cookie("a", ""))
    try theirFile.save(theirs)
    #expect(theirs.cookies.map(\.pair).sorted() == ["mine=1", "theirs=1"])
    try myFile.save(mine)
    #expect(mine.cookies.map(\.pair).sorted() == ["mine=1", "theirs=1"])
    #expect(lines.count == 2)
  }

  @Test func `what both have changed is as the last one says`() throws {
    try write(Self.line)
    let (mine, myFile) = try load()
    let (theirs, theirFile) = try load()
    try theirs.set(cookie("a", "theirs"))
    try theirFile.save(theirs)
    try mine.set(cookie("a", "mine"))
    try myFile.save(mine)
    #expect(lines.count == 1 && lines[0].hasSuffix("\tmine"))
    theirs.remove(cookie("a", ""))
    try theirFile.save(theirs)
    #expect(lines.isEmpty)
  }

  @Test func `a cookie that is removed, or has expired, is gone from the file`() throws {
    try write(Self.line + "\n" + "a.example\tFALSE\t/\tFALSE\t1767225610\tb\t2\n")
    let clock = TestClock()
    let (jar, file) = (CookieJar { clock.now }, CookieFile(place))
    try file.load(into: jar)
    try file.save(jar)
    #expect(lines.count == 2)
    jar.remove(cookie("a", "1"))
    clock.wait(10)
    try file.save(jar)
    #expect(lines == [])
    try file.save(jar)
    #expect(lines == [])
  }

  @Test func `the format serves texts that are kept elsewhere`() throws {
    let text = CookieFile.encode([cookie("a", "1"), cookie("b", "2", expires: nil)])
    #expect(try CookieFile.cookies(in: text).map(\.pair) == ["a=1", "b=2"])
    #expect(try CookieFile.cookies(in: Data()).isEmpty)
    for (bad, line) in [("# mine", 1), (Self.line + "\nx", 2)] {
      let error = #expect(throws: MartletError.self) {
        try CookieFile.cookies(in: Data(bad.utf8))
      }
      #expect(error?.code == .invalidCookieFile)
      #expect(
        error?.message
          == "Line \(line) of the text is neither a cookie (seven fields separated by tabs) nor the title “# Netscape HTTP Cookie File”."
      )
    }
  }

  @Test func `a jar that has not read the file adds to it`() throws {
    try write(Self.line)
    let jar = CookieJar()
    try jar.set(cookie("b", "2"))
    try CookieFile(place).save(jar)
    #expect(lines.count == 2)
    #expect(jar.cookies.map(\.pair).sorted() == ["a=1", "b=2"])
  }

  @Test func `many jars that are saved at once lose nothing`() async throws {
    let failures = Locked<[String]>([])
    // They wait for each other, which tasks must not.
    await withCheckedContinuation { done in
      DispatchQueue.global().async { [self] in
        DispatchQueue.concurrentPerform(iterations: 6) { number in
          do {
            try save(5, named: "c\(number)")
          } catch {
            failures.withLock { $0.append("\(error)") }
          }
        }
        done.resume()
      }
    }
    #expect(failures.current == [])
    #expect(lines.count == 30)
    #expect(try folder.names == ["cookies.txt"])
  }

  private func save(_ count: Int, named name: String) throws {
    let (jar, file) = (CookieJar(), CookieFile(place))
    for round in 0..<count {
      try jar.set(cookie("\(name)-\(round)", "x"))
      try saveAtLast(jar, in: file)
    }
  }

  /// Saves a jar. On a slow machine, it may not get its turn for ten seconds, but must get it in a minute.
  private func saveAtLast(_ jar: CookieJar, in file: CookieFile) throws(MartletError) {
    for _ in 0..<5 {
      do {
        return try file.save(jar)
      } catch {
        guard error.code == .cookieFileInUse else { throw error }
      }
    }
    try file.save(jar)
  }

  @Test func `waiting too long for another process is an error`() throws {
    let lock = folder.url.appendingPathComponent("lock")
    let held = try FileLock(lock)
    #expect(throws: FileLock.AlreadyLocked.self) { try FileLock(lock, timeout: .milliseconds(20)) }
    withExtendedLifetime(held) {}
    #expect(
      MartletError.cookieFileInUse(place).message
        == "Another process has been writing “\(place.path)” for ten seconds: try again when it is done, or choose another file."
    )
  }
}

extension Cookie {
  /// The cookie as a file has it, which knows no dates but the last.
  fileprivate var undated: Cookie {
    var cookie = self
    cookie.created = .distantPast
    cookie.lastUsed = .distantPast
    return cookie
  }
}
