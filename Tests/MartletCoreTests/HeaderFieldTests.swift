import HTTPTypes
import MartletCore
import Testing

/// Header fields that are text from elsewhere.
struct HeaderFieldTests {
  @Test(arguments: [
    "1\r\nX-B: 2", "1\n", "\r1", "1\r2", "1\0", "\u{7F}", "\u{1}", " 1", "1 ", "\t1", " ",
  ])
  func `a value is never split or rewritten, but refused`(value: String) throws {
    var fields: HTTPFields = [.accept: "text/plain"]
    let sentence =
      "The value of the header “X-A” holds a line break or another control character, or begins or ends with a blank: remove it."
    for attempt in [
      { _ = try HTTPFields(validating: ["X-A": value]) },
      { _ = try HTTPField(validating: "X-A", value: value) },
      { try fields.append(name: "X-A", value: value) },
      { try fields.set(name: "X-A", value: value) },
    ] as [() throws -> Void] {
      let error = #expect(throws: MartletError.self) { try attempt() }
      #expect(error?.code == .invalidHeader)
      #expect(error?.message == sentence)
    }
    #expect(fields == [.accept: "text/plain"])
  }

  @Test(arguments: [
    ("X A", "X A"), ("", ""), (":path", ":path"), ("X:", "X:"), ("X\r\nY", "X\\u{d}\\u{a}Y"),
    ("Grüße", "Grüße"), ("X-A ", "X-A "), ("X\0", "X\\u{0}"),
  ])
  func `a name that is no token is refused`(name: String, shown: String) throws {
    var fields = HTTPFields()
    for attempt in [
      { _ = try HTTPFields(validating: [name: "1"]) },
      { _ = try HTTPField.Name(validating: name) },
      { try fields.append(name: name, value: "1") },
      { try fields.set(name: name, value: "1") },
    ] as [() throws -> Void] {
      let error = #expect(throws: MartletError.self) { try attempt() }
      #expect(error?.code == .invalidHeader)
      #expect(
        error?.message
          == #"“\#(shown)” is not a header name: it may not be empty, and may not hold blanks, control characters, characters outside ASCII, or any of “"(),/:;<=>?@[\]{}”."#
      )
    }
    #expect(fields.isEmpty)
  }

  @Test func `what may stand in a field stays as it is`() throws {
    var fields = try HTTPFields(validating: ["X-A": "1", "x-a": "a\tb", "X_b!": "", "X-C": "Grüße"])
    #expect(fields.map(\.name.rawName) == ["X-A", "x-a", "X_b!", "X-C"])
    #expect(fields.map(\.value) == ["1", "a\tb", "", "Grüße"])
    try fields.set(name: "X-a", value: "2")
    #expect(fields.map(\.value) == ["2", "", "Grüße"])
  }
}
