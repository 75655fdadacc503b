#if Images
import CGdkPixbuf
import EssentialFoundation
import MartletEssentials

/// Decodes one image with one of gdk-pixbuf's loaders.
///
/// The loader is stopped before it allocates memory for another size than the size in the header. Memory that it does
/// not fill would hold old contents, so the memory is cleared first. Missing rows are an error in the formats whose
/// loaders accept them.
final class GdkPixbufLoading {
  private typealias Loader = UnsafeMutablePointer<GdkPixbufLoader>

  private let picture: EncodedImage
  private let loader: Loader
  private var rows: [Bool]

  init(_ picture: EncodedImage) throws {
    self.picture = picture
    GdkPixbufLog.silence()
    guard picture.width <= Int32.max / 4, picture.height <= Int32.max / 4 else {
      throw MartletError.notAnImage("it is too large")
    }
    var error: UnsafeMutablePointer<GError>?
    guard let loader = gdk_pixbuf_loader_new_with_type(picture.format.rawValue, &error) else {
      throw MartletError.notAnImage(GdkPixbufLog.reason(taking: error))
    }
    self.loader = loader
    rows = Array(repeating: false, count: picture.format.fillsRows ? picture.height : 0)
  }

  deinit {
    g_object_unref(loader)
  }

  func pixels() throws -> Pixels {
    connect()
    try load()
    guard let decoded = gdk_pixbuf_loader_get_pixbuf(loader),
      !picture.format.fillsRows || rows.allSatisfy(\.self)
    else { throw MartletError.cutOffImage }
    return try pixels(of: decoded)
  }

  // MARK: Signals

  /// `self` outlives the loader, so the signals need not retain it.
  private func connect() {
    let me = Unmanaged.passUnretained(self).toOpaque()
    let sizePrepared: @convention(c) (Loader, Int32, Int32, UnsafeMutableRawPointer) -> Void = {
      Unmanaged<GdkPixbufLoading>.fromOpaque($3).takeUnretainedValue().check(Int($1), Int($2))
    }
    let areaPrepared: @convention(c) (Loader, UnsafeMutableRawPointer) -> Void = {
      Unmanaged<GdkPixbufLoading>.fromOpaque($1).takeUnretainedValue().clear()
    }
    let areaUpdated:
      @convention(c) (Loader, Int32, Int32, Int32, Int32, UnsafeMutableRawPointer) -> Void = {
        Unmanaged<GdkPixbufLoading>.fromOpaque($5).takeUnretainedValue().fill(Int($2), Int($4))
      }
    connect("size-prepared", unsafeBitCast(sizePrepared, to: GCallback.self), me)
    connect("area-prepared", unsafeBitCast(areaPrepared, to: GCallback.self), me)
    connect("area-updated", unsafeBitCast(areaUpdated, to: GCallback.self), me)
  }

  private func connect(_ signal: String, _ callback: GCallback, _ me: UnsafeMutableRawPointer) {
    g_signal_connect_data(loader, signal, callback, me, nil, GConnectFlags(rawValue: 0))
  }

  /// A size of 0 × 0 stops the loader before it allocates memory.
  private func check(_ width: Int, _ height: Int) {
    if (width, height) != (picture.width, picture.height) {
      gdk_pixbuf_loader_set_size(loader, 0, 0)
    }
  }

  /// Clears the loader's memory, which is not initialized.
  private func clear() {
    guard picture.format.isDecodedGradually,
      let animation = gdk_pixbuf_loader_get_animation(loader),
      gdk_pixbuf_animation_is_static_image(animation) != 0,
      let decoded = gdk_pixbuf_loader_get_pixbuf(loader)
    else { return }
    gdk_pixbuf_fill(decoded, 0)
  }

  private func fill(_ y: Int, _ height: Int) {
    for row in max(y, 0)..<max(min(y + height, rows.count), y, 0) { rows[row] = true }
  }

  // MARK: Loading

  private func load() throws {
    var error: UnsafeMutablePointer<GError>?
    let isWritten = picture.data.withUnsafeBytes { bytes in
      gdk_pixbuf_loader_write(
        loader, bytes.bindMemory(to: UInt8.self).baseAddress, gsize(bytes.count), &error) != 0
    }
    // A loader that fails closes itself.
    guard isWritten, gdk_pixbuf_loader_close(loader, &error) != 0 else {
      throw MartletError.notAnImage(GdkPixbufLog.reason(taking: error))
    }
  }

  /// The pixels, rotated as the header specifies. libtiff rotates some images itself; the loader then reports the rest
  /// of the rotation.
  private func pixels(of decoded: OpaquePointer) throws -> Pixels {
    if picture.format != .tiff {
      gdk_pixbuf_remove_option(decoded, "orientation")
      gdk_pixbuf_set_option(decoded, "orientation", "\(picture.orientation)")
    }
    guard let turned = gdk_pixbuf_apply_embedded_orientation(decoded) else {
      throw MartletError.notAnImage("there is not enough memory")
    }
    defer { g_object_unref(UnsafeMutableRawPointer(turned)) }
    let channels = Int(gdk_pixbuf_get_n_channels(turned))
    guard gdk_pixbuf_get_bits_per_sample(turned) == 8, channels == 3 || channels == 4,
      let rows = gdk_pixbuf_read_pixels(turned),
      let pixels = Pixels(
        width: Int(gdk_pixbuf_get_width(turned)), height: Int(gdk_pixbuf_get_height(turned)),
        rows: rows, stride: Int(gdk_pixbuf_get_rowstride(turned)), channels: channels,
        // libtiff multiplies the colours by alpha.
        isPremultiplied: picture.format == .tiff)
    else { throw MartletError.notAnImage("its pixel format is not supported") }
    return pixels
  }
}

extension ImageFormat {
  /// Whether its loader announces its memory before it decodes.
  fileprivate var isDecodedGradually: Bool { fillsRows || self == .webp }

  /// Whether its loader reports the rows that it has filled, and accepts missing rows.
  fileprivate var fillsRows: Bool {
    switch self {
    case .png, .jpeg, .bmp, .ico: true
    case .tiff, .gif, .xbm, .webp, .avif: false
    }
  }
}
#endif
