import HTTPTypes
import MartletCore
import NIOHPACK

/// Reads the header section of a response as HTTP/2 has it (RFC 9113 §8.3.2).
///
/// Names, and which pseudo-header fields there may be, have been checked beneath.
enum ResponseFields {
  /// The head that the fields make.
  ///
  /// - Parameter limit: The most bytes, counted as §6.5.2 does: 32 more than name and value have.
  static func head(_ fields: HPACKHeaders, limit: Int) throws(MartletError) -> ResponseHead {
    guard let status = fields.first(name: ":status"), let code = Int(status), status.count == 3,
      (100...999).contains(code)
    else { throw .malformedHTTP2("its status is “\(fields.first(name: ":status") ?? "")”") }
    return ResponseHead(
      status: HTTPResponse.Status(code: code), headers: try self.fields(fields, limit: limit))
  }

  /// Header or trailer fields, without pseudo-header fields.
  static func fields(_ fields: HPACKHeaders, limit: Int) throws(MartletError) -> HTTPFields {
    var result = HTTPFields()
    result.reserveCapacity(fields.count)
    var size = 0
    for (name, value, _) in fields where name.utf8.first != UInt8(ascii: ":") {
      size += name.utf8.count + value.utf8.count + 32
      guard size <= limit else { throw .headTooLarge(limit: limit) }
      result.append(try field(name, value))
    }
    return result
  }

  private static func field(_ name: String, _ value: String) throws(MartletError) -> HTTPField {
    var name = name
    var value = value
    guard let fieldName = name.withUTF8({ FieldNames.name(UnsafeRawBufferPointer($0)[...]) })
    else { throw .malformedHTTP2("a header is named “\(name.masked)”") }
    let isClean = value.utf8.allSatisfy { $0 != 0 && $0 != 0x0A && $0 != 0x0D }
    guard isClean else {
      throw .malformedHTTP2("the value of its header “\(name)” holds a control character")
    }
    return value.withUTF8 {
      HTTPField(name: fieldName, lenientValue: UnsafeRawBufferPointer($0))
    }
  }
}
