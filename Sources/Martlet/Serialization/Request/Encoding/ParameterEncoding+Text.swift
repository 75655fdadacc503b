import Foundation

extension ParameterEncoding {
  /// The text of a value that is no container; `nil` for null.
  ///
  /// - Throws: `MartletError` with code `.invalidParameters` for what no text stands for.
  func text(of value: Parameters, at field: String) throws(MartletError) -> String? {
    switch value {
    case .bool(let value): text(of: value)
    case .integer(let value): String(value)
    case .unsigned(let value): String(value)
    case .string(let value): value
    case .double(let value): try value.finite(at: field).numberText
    case .date(let value): try text(of: value, at: field)
    case .data(let value): text(of: value)
    case .null, .array, .set, .dictionary, .ordered, .encodable: nil
    }
  }

  private func text(of value: Bool) -> String {
    switch booleans {
    case .numbers: value ? "1" : "0"
    case .words: value ? "true" : "false"
    }
  }

  private func text(of date: Date, at field: String) throws(MartletError) -> String {
    let seconds = try date.timeIntervalSince1970.finite(at: field)
    switch dates {
    case .secondsSince1970: return seconds.numberText
    case .millisecondsSince1970: return (seconds * 1000).rounded().numberText
    case .iso8601:
      // RFC 3339 §1: years from 0 to 9999.
      guard (-62_167_219_200..<253_402_300_800).contains(seconds) else {
        throw .invalidParameters("the date at “\(field.masked)” is not in the years 0 to 9999")
      }
      return date.formatted(.iso8601)
    }
  }

  private func text(of data: Data) -> String {
    let text = data.base64EncodedString()
    switch self.data {
    case .base64: return text
    case .base64URL:
      return text.replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
  }
}

extension Double {
  fileprivate func finite(at field: String) throws(MartletError) -> Double {
    guard isFinite else {
      throw .invalidParameters("the number at “\(field.masked)” is not finite")
    }
    return self
  }
}
