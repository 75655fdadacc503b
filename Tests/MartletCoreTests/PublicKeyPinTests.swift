import MartletCore
import Testing

/// Pins as text.
struct PublicKeyPinTests {
  private let base64 = "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="

  @Test(arguments: ["sha256//", "sha256/"])
  func `a pin is read as curl and OkHttp write it`(prefix: String) throws {
    let pin = try PublicKeyPin(prefix + base64)
    #expect(pin.digest.prefix(4) == [0xE3, 0xB0, 0xC4, 0x42])
    #expect("\(pin)" == "sha256//" + base64)
    #expect(PublicKeyPin(digest: pin.digest) == pin)
  }

  @Test func `a list has semicolons between its pins`() throws {
    let pins = try PublicKeyPin.all(in: "sha256//\(base64);sha256//\(base64)")
    #expect(pins.count == 2)
  }

  @Test(arguments: [
    "", "sha256//", "sha1//2jmj7l5rSw0yVb/vlWAYkK/YBwk=", "sha256//AAAA", "sha256//!",
    "sha256///47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=",
  ])
  func `what is no pin is refused in words`(text: String) {
    #expect {
      try PublicKeyPin(text)
    } throws: { error in
      let error = error as? MartletError
      return error?.code == .invalidPin
        && error?.message
          == "“\(text)” is not a pin: it must read sha256// and the SHA-256 of a public key in base64, which is 44 characters."
    }
  }

  @Test func `a list with an empty place is refused`() {
    #expect(throws: MartletError.self) { try PublicKeyPin.all(in: "sha256//\(base64);") }
  }
}
