/// How a terminal shows pictures.
enum TerminalGraphics: Equatable {
  /// By kitty's graphics protocol.
  case kitty
  /// As half blocks in 24-bit colours.
  case blocks

  /// What a terminal is told to be able to do by its environment; `nil` when it has no colours.
  ///
  /// Inside tmux and screen the protocol does not reach the terminal.
  init?(environment: [String: String]) {
    let term = environment["TERM"] ?? ""
    if term == "dumb" || Palette.isUnwanted(in: environment) { return nil }
    let program = environment["TERM_PROGRAM"]?.lowercased() ?? ""
    let isMultiplexed =
      environment["TMUX"] != nil || term.hasPrefix("screen") || term.hasPrefix("tmux")
    let speaksKitty =
      term == "xterm-kitty" || term == "xterm-ghostty" || environment["KITTY_WINDOW_ID"] != nil
      || program == "ghostty" || program == "wezterm"
    self = speaksKitty && !isMultiplexed ? .kitty : .blocks
  }
}
