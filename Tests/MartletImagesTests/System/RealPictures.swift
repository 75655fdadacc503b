#if Images
import Foundation
import MartletImages

/// Pictures that ImageMagick has made.
enum RealPictures {
  /// What a test that needs ImageMagick, and does not find it, fails with.
  struct NoImageMagick: Error, CustomStringConvertible {
    let description =
      "These tests need ImageMagick's convert at /usr/bin/convert: apt-get install imagemagick"
  }

  /// One of each format: 24 pixels wide and 16 high, the left half black and the right half white.
  static func small() async throws -> [ImageFormat: Data] { try await cached.value }

  private static let cached = Task {
    var pictures: [ImageFormat: Data] = [:]
    for format in ImageFormat.allCases {
      pictures[format] = try await make(
        "-size", "12x16", "xc:black", "xc:white", "+append", "-depth", "8", as: format)
    }
    return pictures
  }

  /// The picture that these arguments of `convert` make.
  static func make(_ arguments: String..., as format: ImageFormat) async throws -> Data {
    try await aside { try run(arguments, as: format) }
  }

  private static func run(_ arguments: [String], as format: ImageFormat) throws -> Data {
    let convert = URL(fileURLWithPath: "/usr/bin/convert")
    guard FileManager.default.isExecutableFile(atPath: convert.path) else {
      throw NoImageMagick()
    }
    let file = FileManager.default.temporaryDirectory.appending(
      path: "martlet-\(UUID()).\(format.rawValue)")
    defer { try? FileManager.default.removeItem(at: file) }
    let process = Process()
    process.executableURL = convert
    process.arguments = arguments + [file.path]
    try process.run()
    process.waitUntilExit()
    return try Data(contentsOf: file)
  }
}

extension Pixels {
  /// Red, green, blue and alpha of a pixel.
  subscript(x: Int, y: Int) -> [UInt8] {
    Array(bytes[(y * width + x) * 4..<(y * width + x) * 4 + 4])
  }
}
#endif
