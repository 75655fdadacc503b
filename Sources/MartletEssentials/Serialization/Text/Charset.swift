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
    for line in aliases.split(separator: "\n") {
      let names = line.split(separator: " ").map { String($0) }
      for alias in names.dropFirst() { named[alias] = named[names[0]] }
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

  /// Rarer names. Each line begins with a name in `labels`, which the others mean as well.
  private static let aliases = """
    utf-8 csutf8 unicode11utf8 unicode20utf8 x-unicode20utf8
    us-ascii ansi_x3.4-1986 iso_646.irv:1991 iso-ir-6 us ibm367 cp367 csascii
    utf-16 csutf16 csutf16le csunicode iso-10646-ucs-2 unicodefeff
    utf-16be csutf16be unicodefffe
    utf-32le csutf32le
    utf-32be csutf32 csutf32be
    iso-8859-1 iso_8859-1:1987 iso88591 iso-ir-100 csisolatin1 ibm819 cp819
    iso-8859-2 iso_8859-2:1987 iso88592 iso-ir-101 csisolatin2
    iso-8859-3 iso_8859-3 iso_8859-3:1988 iso88593 iso-ir-109 csisolatin3 l3
    iso-8859-4 iso_8859-4 iso_8859-4:1988 iso88594 iso-ir-110 csisolatin4 l4
    iso-8859-5 iso_8859-5 iso_8859-5:1988 iso88595 iso-ir-144 csisolatincyrillic
    iso-8859-6 iso_8859-6 iso_8859-6:1987 iso88596 iso-ir-127 csisolatinarabic asmo-708 ecma-114
    iso-8859-6 iso-8859-6-e iso-8859-6-i csiso88596e csiso88596i
    iso-8859-7 iso_8859-7 iso_8859-7:1987 iso88597 iso-ir-126 csisolatingreek elot_928 ecma-118
    iso-8859-7 greek8 sun_eu_greek
    iso-8859-8 iso_8859-8 iso_8859-8:1988 iso88598 iso-ir-138 csisolatinhebrew visual logical
    iso-8859-8 iso-8859-8-e iso-8859-8-i csiso88598e csiso88598i
    iso-8859-9 iso_8859-9 iso_8859-9:1989 iso88599 iso-ir-148 csisolatin5 l5
    iso-8859-10 iso_8859-10:1992 iso885910 iso-ir-157 csisolatin6 l6
    iso-8859-13 iso885913 csiso885913 latin7 l7
    iso-8859-14 iso_8859-14 iso_8859-14:1998 iso885914 iso-ir-199 csiso885914 iso-celtic latin8 l8
    iso-8859-15 iso_8859-15 iso885915 csiso885915 csisolatin9 latin-9 l9
    iso-8859-16 iso_8859-16 iso_8859-16:2001 iso-ir-226 csiso885916 latin10 l10
    windows-1250 x-cp1250 cswindows1250
    windows-1251 x-cp1251 cswindows1251
    windows-1252 x-cp1252 cswindows1252
    windows-1253 x-cp1253 cswindows1253
    windows-1254 x-cp1254 cswindows1254
    windows-1255 x-cp1255 cswindows1255
    windows-1256 x-cp1256 cswindows1256
    windows-1257 x-cp1257 cswindows1257
    windows-1258 x-cp1258 cswindows1258
    ibm866 csibm866
    windows-874 dos-874 cp874 cswindows874 cstis620 iso8859-11 iso885911
    koi8-r koi8_r koi cskoi8r
    koi8-u koi8-ru cskoi8u
    macintosh csmacintosh
    shift_jis ms_kanji csshiftjis
    windows-31j cswindows31j
    iso-2022-jp csiso2022jp
    euc-jp cseucpkdfmtjapanese extended_unix_code_packed_format_for_japanese
    gb18030 csgb18030 csgbk cp936 ms936 windows-936
    gb18030 gb_2312 gb_2312-80 iso-ir-58 csgb2312 csiso58gb231280 chinese
    big5 csbig5 csbig5hkscs cn-big5 x-x-big5
    euc-kr cseuckr korean ksc5601 ksc_5601 ks_c_5601-1989 iso-ir-149 csksc56011987
    """

  /// An encoding by its number in Core Foundation. Swift on Linux does not have the enumeration of these numbers.
  private static func coreFoundation(_ number: UInt) -> String.Encoding {
    String.Encoding(rawValue: 0x8000_0000 | number)
  }
}
