#if Images
import CGdkPixbuf
import EssentialFoundation
import MartletEssentials

/// Decoding and encoding with gdk-pixbuf.
extension SystemImageDecoder {
  /// The formats that it decodes: those that gdk-pixbuf has loaders for.
  public static let formats: Set<ImageFormat> = {
    GdkPixbufLog.silence()
    guard let list = gdk_pixbuf_get_formats() else { return [] }
    defer { g_slist_free(list) }
    var formats: Set<ImageFormat> = []
    for entry in sequence(first: list, next: { $0.pointee.next }) {
      guard let data = entry.pointee.data,
        let name = gdk_pixbuf_format_get_name(OpaquePointer(data))
      else { continue }
      if let format = ImageFormat(rawValue: String(cString: name)) { formats.insert(format) }
      g_free(name)
    }
    return formats
  }()

  static func decode(_ picture: EncodedImage) throws -> Pixels {
    guard formats.contains(picture.format) else {
      throw MartletError.notAnImage(
        "gdk-pixbuf has no loader for its format, \(picture.format.rawValue) (install one)")
    }
    return try GdkPixbufLoading(picture).pixels()
  }
}

extension SystemImageEncoder {
  static func encode(_ pixels: Pixels, as encoding: ImageOutputFormat) throws -> Data {
    GdkPixbufLog.silence()
    return switch encoding {
    case .png where !pixels.isOpaque:
      try encode(pixels.straightBytes, channels: 4, of: pixels, as: "png", options: [:])
    case .png:
      try encode(pixels.opaqueBytes, channels: 3, of: pixels, as: "png", options: [:])
    case .jpeg(let quality):
      try encode(
        pixels.opaqueBytes, channels: 3, of: pixels, as: "jpeg",
        options: ["quality": "\(percent(quality))"])
    }
  }

  private static func percent(_ quality: Double) -> Int {
    quality.isNaN ? 90 : Int((min(max(quality, 0), 1) * 100).rounded())
  }

  private static func encode(
    _ bytes: [UInt8], channels: Int, of pixels: Pixels, as type: String, options: [String: String]
  ) throws -> Data {
    guard let width = Int32(exactly: pixels.width), let height = Int32(exactly: pixels.height),
      let stride = Int32(exactly: pixels.width * channels)
    else { throw MartletError.imageNotEncoded("it is too large") }
    return try bytes.withUnsafeBufferPointer { bytes in
      guard
        let picture = gdk_pixbuf_new_from_data(
          bytes.baseAddress, GDK_COLORSPACE_RGB, channels == 4 ? 1 : 0, 8, width, height, stride,
          nil, nil)
      else { throw MartletError.imageNotEncoded("there is not enough memory") }
      defer { g_object_unref(UnsafeMutableRawPointer(picture)) }
      return try save(picture, as: type, options)
    }
  }

  private static func save(_ picture: OpaquePointer, as type: String, _ options: [String: String])
    throws -> Data
  {
    var keys = options.keys.map { strdup($0) } + [nil]
    var values = options.values.map { strdup($0) } + [nil]
    defer { for text in keys + values { free(text) } }
    var buffer: UnsafeMutablePointer<CChar>?
    var count: gsize = 0
    var error: UnsafeMutablePointer<GError>?
    guard gdk_pixbuf_save_to_bufferv(picture, &buffer, &count, type, &keys, &values, &error) != 0,
      let buffer
    else { throw MartletError.imageNotEncoded(GdkPixbufLog.reason(taking: error)) }
    defer { g_free(buffer) }
    return Data(bytes: buffer, count: Int(count))
  }
}
#endif

#if Images
import CGdkPixbuf

/// The warnings and error messages of gdk-pixbuf.
enum GdkPixbufLog {
  private static let handler: UInt32 = g_log_set_handler(
    "GdkPixbuf", GLogLevelFlags(rawValue: ~0), { _, _, _, _ in }, nil)

  /// Prevents gdk-pixbuf from printing warnings about broken images: errors contain the reason.
  static func silence() {
    _ = handler
  }

  /// An error's message as a clause, without control characters, which could affect a terminal; frees the error.
  static func reason(taking error: UnsafeMutablePointer<GError>?) -> String {
    guard let error else { return "it is broken" }
    defer { g_error_free(error) }
    let scalars = String(cString: error.pointee.message).unicodeScalars
    let message = String(
      String.UnicodeScalarView(scalars.filter { $0.properties.generalCategory != .control }))
    return message.hasSuffix(".") ? String(message.dropLast()) : message
  }
}
#endif
