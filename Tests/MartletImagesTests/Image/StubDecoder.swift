import Foundation
import Martlet
import MartletImages

/// Reads pictures that are text, `4x3`, and paints them in one colour.
struct StubDecoder: ImageDecoder {
  func header(of data: Data) throws -> ImageHeader {
    let numbers = String(decoding: data, as: UTF8.self).split(separator: "x").compactMap { Int($0) }
    guard numbers.count == 2 else {
      throw MartletError(.decodingFailed, "The response could not be decoded as an image: no size.")
    }
    return ImageHeader(width: numbers[0], height: numbers[1])
  }

  func pixels(of data: Data) throws -> Pixels {
    let header = try header(of: data)
    let bytes = [UInt8](repeating: 0xFF, count: header.width * header.height * 4)
    guard let pixels = Pixels(width: header.width, height: header.height, bytes: bytes) else {
      throw MartletError(
        .decodingFailed, "The response could not be decoded as an image: no pixels.")
    }
    return pixels
  }
}
