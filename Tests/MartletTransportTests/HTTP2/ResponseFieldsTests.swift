import HTTPTypes
import MartletCore
import NIOHPACK
import Testing

@testable import MartletTransport

/// What a response's section of fields may hold, without a network (RFC 9113 §8.2).
struct ResponseFieldsTests {
  @Test func `a section has a bounded number of fields, however large it may be`() throws {
    let limit = 1 << 30
    // Counted first, for the test would else describe every field.
    let most = try ResponseFields(section(4096), limit: limit).fields.count
    #expect(most == 4096)
    for count in [4097, 70_000] {
      #expect {
        try ResponseFields(section(count), limit: limit)
      } throws: { fault in
        guard case .unusable(let error)? = fault as? ResponseFields.Fault else { return false }
        return error.message
          == "The server's response is not HTTP/2: it has more than 4096 header fields."
      }
    }
  }

  @Test(arguments: ["+5", "-0", " 5", "5 ", "", "0x5", "99999999999999999999", "٥"])
  func `a length is nothing but digits (RFC 9110 §8.6)`(_ length: String) {
    #expect {
      try ResponseFields([":status": "200", "content-length": length], limit: 1000)
    } throws: { fault in
      guard case .breaksRules? = fault as? ResponseFields.Fault else { return false }
      return true
    }
  }

  @Test(arguments: [" a", "a ", "\ta", "a\t", " "])
  func `a value neither begins nor ends with a blank (RFC 9113 §8.2.1)`(_ value: String) throws {
    for name in ["server", "x-own", "content-length"] {
      #expect {
        try ResponseFields([":status": "200", name: value], limit: 1000)
      } throws: { fault in
        guard case .breaksRules? = fault as? ResponseFields.Fault else { return false }
        return true
      }
    }
    let inner = try ResponseFields([":status": "200", "server": "a b\tc"], limit: 1000)
    #expect(inner.fields[.server] == "a b\tc")
  }

  @Test func `a length may begin with zeros, and be said twice`() throws {
    let fields = try ResponseFields(
      [":status": "200", "content-length": "005", "content-length": "5"], limit: 1000)
    #expect(fields.contentLength == 5)
  }

  @Test func `a section is read the same, whatever came before it`() throws {
    let sections: [HPACKHeaders] = [
      [":status": "200", "server": "a", "content-length": "5", "date": "today"],
      [":status": "200", "server": "a", "content-length": "7", "date": "today"],
      [":status": "404", "date": "today", "server": "b"],
      [":status": "200"],
      [":status": "200", "set-cookie": "a=1", "set-cookie": "b=2", "x": ""],
      // Equal to Swift, and yet not the same bytes.
      [":status": "200", "location": "/\u{C5}"], [":status": "200", "location": "/A\u{30A}"],
    ]
    for before in sections {
      let last = try ResponseFields(before, limit: 1000).fields
      for section in sections {
        let fresh = try ResponseFields(section, limit: 1000)
        let edited = try ResponseFields(section, limit: 1000, last: last)
        let bytes = { (fields: HTTPFields) in fields.map { Array("\($0.name) \($0.value)".utf8) } }
        #expect(bytes(edited.fields) == bytes(fresh.fields))
        #expect(edited.contentLength == fresh.contentLength)
        #expect(edited.size == fresh.size)
      }
    }
  }

  private func section(_ count: Int) -> HPACKHeaders {
    HPACKHeaders((0..<count).map { ("a\($0)", "b") })
  }
}
