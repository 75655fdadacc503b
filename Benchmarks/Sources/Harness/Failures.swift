/// The peer is not meant to do this.
struct Unsupported: Error {}

/// A response that is not the one that was asked for.
public struct UnexpectedResponse: Error {
  /// What is wrong with it.
  public var reason: String

  /// Throws unless the status is 200.
  public static func check(status: some BinaryInteger) throws {
    guard status == 200 else { throw UnexpectedResponse(reason: "status \(status)") }
  }

  /// The number that the draining server answers an upload with: how many bytes it got.
  public static func number(in body: some Collection<UInt8>) throws -> Int {
    let text = String(decoding: body, as: UTF8.self)
    guard let number = Int(text) else { throw UnexpectedResponse(reason: "body \(text)") }
    return number
  }
}
