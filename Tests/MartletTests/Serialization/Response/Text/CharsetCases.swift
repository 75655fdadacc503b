/// Charsets, and what bytes mean in them, for the tests and for a program without ICU.
enum CharsetCases {
  static let all: [(String, [UInt8], String?)] = [
    ("iso-8859-1", [0xE9], "é"), ("ISO-8859-15", [0xA4], "€"), ("windows-1252", [0x80], "€"),
    ("koi8-r", [0xC1, 0xC2], "аб"), ("shift_jis", [0x82, 0xA0], "あ"), ("gbk", [0xC4, 0xE3], "你"),
    ("big5", [0xA7, 0x41], "你"), ("euc-kr", [0xB0, 0xA1], "가"), ("windows-1255", [0xE0], "א"),
    ("utf-16", [0x41, 0x00], "A"), ("utf-16be", [0x00, 0x41], "A"),
    ("utf-32le", [0x41, 0, 0, 0], "A"), ("us-ascii", [0x41], "A"), ("'utf-8'", [0x41], nil),
    ("iso-8859-2", [0xB1], "ą"), ("windows-1250", [0x9C], "ś"), ("windows-1251", [0xC6], "Ж"),
    ("windows-1253", [0xE1], "α"), ("windows-1254", [0xFD], "ı"), ("windows-1256", [0xC7], "ا"),
    ("windows-1257", [0xE0], "ą"), ("windows-1258", [0xD0], "Đ"), ("windows-874", [0xA1], "ก"),
    ("ibm866", [0x80], "А"), ("koi8-u", [0xA4], "є"), ("macintosh", [0x8A], "ä"),
    ("iso-2022-jp", [0x1B, 0x24, 0x42, 0x24, 0x22, 0x1B, 0x28, 0x42], "あ"),
    ("euc-jp", [0xA4, 0xA2], "あ"), ("windows-31j", [0x5C, 0x7E], "\\~"),
    ("shift_jis", [0x95, 0x5C], "表"),
    ("gb18030", [0x81, 0x30, 0x81, 0x30], "\u{80}"), ("windows-1252", [0x93, 0xFF], "“ÿ"),
    ("windows-1250", [0x61, 0x81, 0x9C], "a\u{81}ś"), ("big5", [0x87, 0x40], "䏰"),
    ("windows-1253", [0xAA], nil),
    ("koi8-r", [], ""), ("shift_jis", [0x81], nil), ("big5", [0xA7], nil),
    ("us-ascii", [0x80], nil),
    ("iso-2022-jp", [0x61, 0x1B, 0x28, 0x49, 0x31, 0x1B, 0x28, 0x42], "aｱ"),
    ("big5", [0xA1, 0x5A], "╴"), ("big5", [0xA7, 0x41, 0xA2, 0xCC], "你十"),
  ]

  /// Rarer names of charsets, in the IANA registry or the Encoding Standard.
  static let aliases: [(String, [UInt8], String)] = [
    ("ISO_8859-1:1987", [0xE9], "é"), ("csISOLatin1", [0xE9], "é"), ("iso-ir-100", [0xE9], "é"),
    ("cp819", [0x80], "\u{80}"), ("x-cp1252", [0x80], "€"), ("dos-874", [0xA1], "ก"),
    ("GB_2312-80", [0xC4, 0xE3], "你"), ("cp936", [0xC4, 0xE3], "你"), ("csbig5", [0xA7, 0x41], "你"),
    ("csShiftJIS", [0x82, 0xA0], "あ"), ("ms_kanji", [0x82, 0xA0], "あ"), ("koi8_r", [0xC1], "а"),
    ("asmo-708", [0xC7], "ا"), ("l3", [0xA1], "Ħ"), ("l4", [0xA1], "Ą"), ("l5", [0xFD], "ı"),
    ("l6", [0xA1], "Ą"), ("l7", [0xA1], "”"), ("l8", [0xA1], "Ḃ"), ("l9", [0xA4], "€"),
    ("l10", [0xA4], "€"), ("cp367", [0x41], "A"), ("csUTF8", [0xC3, 0xA9], "é"),
    ("Extended_UNIX_Code_Packed_Format_for_Japanese", [0xA4, 0xA2], "あ"),
    ("csKSC56011987", [0xB0, 0xA1], "가"), ("iso-8859-8-i", [0xE0], "א"),
  ]
}
