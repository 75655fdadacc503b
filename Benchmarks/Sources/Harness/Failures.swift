/// The peer does not support the scenario.
struct Unsupported: Error {}

/// The response is not the expected one.
public struct UnexpectedResponse: Error {
  /// The reason.
  public var reason: String

  /// Throws unless the status is 200.
  public static func check(status: some BinaryInteger) throws {
    guard status == 200 else { throw UnexpectedResponse(reason: "status \(status)") }
  }

  /// The number of bytes that the server received from an upload, which it sends as its response.
  public static func number(in body: some Collection<UInt8>) throws -> Int {
    let text = String(decoding: body, as: UTF8.self)
    guard let number = Int(text) else { throw UnexpectedResponse(reason: "body \(text)") }
    return number
  }
}
