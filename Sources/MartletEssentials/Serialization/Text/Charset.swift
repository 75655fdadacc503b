public import EssentialFoundation

extension String.Encoding {
  /// The encoding with a name from the Encoding Standard, which browsers follow, or from the IANA registry.
  ///
  /// `iso-8859-1` means what the registry says, and not `windows-1252` as in browsers. For other names on which the two
  /// differ, the Encoding Standard is mostly used: `utf-16` without a byte-order mark is little-endian, and some Asian
  /// encodings are read as their supersets, for example `gbk` as `gb18030`. Encodings that only browsers need are not
  /// known.
  ///
  /// - Parameter charset: The name, in any case.
  public init?(charset: String) {
    guard let encoding = Self.named[charset.lowercased()] else { return nil }
    self = encoding
  }

  private static let named: [String: String.Encoding] = {
    var named: [String: String.Encoding] = [:]
    for (encoding, names) in labels {
      for name in names.split(separator: " ") { named[String(name)] = encoding }
    }
    return named
  }()

  /// The C library's name of the encoding; `nil` for an encoding that FoundationEssentials converts, or that is not in
  /// the table.
  var charset: String? { Self.charsets[rawValue] }

  /// The first label of each encoding, except where the C library uses that label for another encoding.
  private static let charsets: [UInt: String] = {
    var charsets: [UInt: String] = [:]
    for (encoding, names) in labels.dropFirst(essentialsCount) {
      let name = String(names.prefix { $0 != " " })
      charsets[encoding.rawValue] =
        ["shift_jis": "cp932", "euc-kr": "cp949", "big5": "big5-hkscs"][name] ?? name
    }
    return charsets
  }()

  /// The number of encodings at the beginning of `labels` that FoundationEssentials converts itself.
  private static let essentialsCount = 7

  private static let labels: [(String.Encoding, String)] = [
    (.utf8, "utf-8 utf8 unicode-1-1-utf-8"),
    (.ascii, "us-ascii ascii ansi_x3.4-1968 iso646-us"),
    // Little-endian without a byte-order mark, as nearly all such texts are (Encoding Standard §14.4).
    (.utf16LittleEndian, "utf-16 utf-16le unicode ucs-2"),
    (.utf16BigEndian, "utf-16be"),
    (.utf32LittleEndian, "utf-32le"),
    (.utf32BigEndian, "utf-32 utf-32be"),
    (.isoLatin1, "iso-8859-1 iso8859-1 iso_8859-1 latin1 l1"),
    (.isoLatin2, "iso-8859-2 iso8859-2 iso_8859-2 latin2 l2"),
    (.coreFoundation(0x203), "iso-8859-3 iso8859-3 latin3"),
    (.coreFoundation(0x204), "iso-8859-4 iso8859-4 latin4"),
    (.coreFoundation(0x205), "iso-8859-5 iso8859-5 cyrillic"),
    (.coreFoundation(0x206), "iso-8859-6 iso8859-6 arabic"),
    (.coreFoundation(0x207), "iso-8859-7 iso8859-7 greek"),
    (.coreFoundation(0x208), "iso-8859-8 iso8859-8 hebrew"),
    (.coreFoundation(0x209), "iso-8859-9 iso8859-9 latin5"),
    (.coreFoundation(0x20A), "iso-8859-10 iso8859-10 latin6"),
    (.coreFoundation(0x20D), "iso-8859-13 iso8859-13"),
    (.coreFoundation(0x20E), "iso-8859-14 iso8859-14"),
    (.coreFoundation(0x20F), "iso-8859-15 iso8859-15 latin9"),
    (.coreFoundation(0x210), "iso-8859-16 iso8859-16"),
    (.windowsCP1250, "windows-1250 cp1250"),
    (.windowsCP1251, "windows-1251 cp1251"),
    (.windowsCP1252, "windows-1252 cp1252"),
    (.windowsCP1253, "windows-1253 cp1253"),
    (.windowsCP1254, "windows-1254 cp1254"),
    (.coreFoundation(0x505), "windows-1255 cp1255"),
    (.coreFoundation(0x506), "windows-1256 cp1256"),
    (.coreFoundation(0x507), "windows-1257 cp1257"),
    (.coreFoundation(0x508), "windows-1258 cp1258"),
    (.coreFoundation(0x41B), "ibm866 cp866 866"),
    (.coreFoundation(0x41D), "windows-874 tis-620 iso-8859-11"),
    (.coreFoundation(0xA02), "koi8-r koi8"),
    (.coreFoundation(0xA08), "koi8-u"),
    (.macOSRoman, "macintosh mac x-mac-roman"),
    (.shiftJIS, "shift_jis shift-jis sjis x-sjis"),
    (.coreFoundation(0x420), "windows-31j cp932 ms932"),
    (.iso2022JP, "iso-2022-jp"),
    (.japaneseEUC, "euc-jp x-euc-jp"),
    (.coreFoundation(0x632), "gb18030 gbk gb2312 x-gbk"),
    (.coreFoundation(0xA03), "big5 big5-hkscs"),
    (.coreFoundation(0x422), "euc-kr ks_c_5601-1987 windows-949 cp949"),
  ]

  /// An encoding by its number in Core Foundation. Swift on Linux does not have the enumeration of these numbers.
  private static func coreFoundation(_ number: UInt) -> String.Encoding {
    String.Encoding(rawValue: 0x8000_0000 | number)
  }
}
