import Foundation
import MartletCore
import MartletEssentials

/// Errors of reading and writing property lists.
extension MartletError {
  static func notPropertyList(underlying: any Error) -> MartletError {
    undecodable(as: "a property list", underlying.detail, underlying: underlying)
  }

  static func notPropertyList(_ reason: String) -> MartletError {
    undecodable(as: "a property list", reason)
  }

  static let malformedBinaryPropertyList = notPropertyList(
    "it has an invalid offset, size or reference")

  static let keyedArchive = notPropertyList(
    "it is a keyed archive, which only its own program can read")

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
      "The property list could not be written: \(underlying.sentence)",
      underlying: underlying)
  }

  /// A value that property lists cannot represent.
  static func notInPropertyLists(_ what: String, at path: String) -> MartletError {
    .invalidParameters("the value at “\(path.masked)” is \(what), which property lists do not have")
  }

  /// A format of property lists that can only be read.
  static let propertyListFormatNotWritable = MartletError.invalidParameters(
    "property lists cannot be written in the OpenStep format: use xml or binary")
}
