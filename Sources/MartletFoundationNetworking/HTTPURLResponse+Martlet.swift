import HTTPTypes
public import MartletCore

#if canImport(FoundationNetworking)
import Foundation
public import FoundationNetworking
#else
public import Foundation
#endif

extension Response {
  /// The same head for Foundation. Fields of one name are joined with commas.
  ///
  /// - Returns: `nil` when Foundation rejects the parts.
  public func makeHTTPURLResponse() -> HTTPURLResponse? {
    let names = headers.map(\.name)
    let fields = Dictionary(names.map { ($0.rawName, headers[$0] ?? "") }) { first, _ in first }
    return HTTPURLResponse(
      url: url, statusCode: status.code, httpVersion: "HTTP/1.1", headerFields: fields)
  }
}

extension ResponseHead {
  /// The same head for Martlet. Foundation keeps no order, so the fields are sorted by name.
  ///
  /// - Throws: `MartletError` with code `.malformedResponse` for a status that does not have three digits,
  ///   and `.invalidHeader` for a field that is not valid.
  public init(_ response: HTTPURLResponse) throws(MartletError) {
    guard (100...999).contains(response.statusCode) else {
      throw .malformedResponse("its status code is \(response.statusCode)")
    }
    self.init(status: HTTPResponse.Status(code: response.statusCode))
    let fields = response.allHeaderFields.map { ("\($0.key)", "\($0.value)") }
    for (name, value) in fields.sorted(by: { $0.0 < $1.0 }) {
      try headers.append(name: name, value: value)
    }
  }
}
