import Foundation
import MartletCore

/// Values and property lists that do not go together.
extension MartletError {
  static let malformedBinaryPropertyList = notPropertyList("its parts lie outside of it")

  static func notPropertyListValue(_ what: String) -> MartletError {
    MartletError(
      .invalidParameters,
      "A property list cannot hold \(what): give text, a number, a boolean, a date, data, or a container of these."
    )
  }

  static let openStepNotWritable = MartletError(
    .invalidParameters, "Property lists cannot be written in OpenStep's format: use XML or binary.")

  static func propertyListNotWritable(underlying: any Error) -> MartletError {
    MartletError(
      .invalidParameters,
      "The property list could not be written: \(underlying.localizedDescription)",
      underlying: underlying)
  }
}
