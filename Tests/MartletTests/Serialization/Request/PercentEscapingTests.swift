import Martlet
import SpecificationCoverage
import Testing

struct PercentEscapingTests {
  @Test(.covers("REQ-Q1"))
  func `letters, digits and six marks stay as they are`() {
    let bare = "abcxyzABCXYZ0189-._~/?"
    #expect(bare.percentEscapedForQuery() == bare)
  }

  @Test(.covers("REQ-Q1", "REQ-Q2"))
  func `every other ASCII character becomes its upper-case hexadecimal code`() {
    let bare = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/?")
    for code in UInt8.min..<0x80 {
      let character = Character(Unicode.Scalar(code))
      guard !bare.contains(character) else { continue }
      let hex = (code < 16 ? "%0" : "%") + String(code, radix: 16, uppercase: true)
      #expect(String(character).percentEscapedForQuery() == hex)
    }
  }

  @Test(.covers("REQ-Q2"))
  func `a space becomes %20 and a plus %2B`() {
    #expect("a b+c".percentEscapedForQuery() == "a%20b%2Bc")
  }

  @Test(.covers("REQ-Q2"))
  func `letters beyond ASCII become the bytes of their UTF-8 form`() {
    #expect("é東".percentEscapedForQuery() == "%C3%A9%E6%9D%B1")
  }

  @Test(.covers("REQ-Q3", "T-REQ-15"))
  func `reserved characters are escaped, but not the question mark and the slash`() {
    #expect(
      ":#[]@!$&'()*+,;=?/".percentEscapedForQuery()
        == "%3A%23%5B%5D%40%21%24%26%27%28%29%2A%2B%2C%3B%3D?/")
  }

  @Test(.covers("REQ-Q4"))
  func `text that is escaped already is escaped once more`() {
    #expect("%20".percentEscapedForQuery() == "%2520")
  }

  @Test(.covers("REQ-Q5", "T-REQ-16"))
  func `emoji with skin tones come out whole, however long the text`() throws {
    let text = "!" + String(repeating: "👴🏿👷🏻👮🏽", count: 20)
    let emoji = "%F0%9F%91%B4%F0%9F%8F%BF%F0%9F%91%B7%F0%9F%8F%BB%F0%9F%91%AE%F0%9F%8F%BD"
    let expected = "%21" + String(repeating: emoji, count: 20)
    #expect(text.percentEscapedForQuery() == expected)
    let request = try HTTPRequestSerializer().request(
      method: .get, urlString: "http://example.com", parameters: ["test": text])
    #expect(request.target == "/?test=" + expected)
  }

  @Test(.covers("REQ-Q6"))
  func `nothing stays nothing`() {
    #expect("".percentEscapedForQuery().isEmpty)
  }
}
