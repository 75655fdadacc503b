#if Images
import CGdkPixbuf

/// What gdk-pixbuf has to say.
enum GdkPixbufLog {
  private static let handler: UInt32 = g_log_set_handler(
    "GdkPixbuf", GLogLevelFlags(rawValue: ~0), { _, _, _, _ in }, nil)

  /// Sees to it that warnings about a broken picture are not printed: what is wrong is in an error.
  static func silence() {
    _ = handler
  }

  /// An error's message as a clause, without characters that a terminal would obey; frees the error.
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
