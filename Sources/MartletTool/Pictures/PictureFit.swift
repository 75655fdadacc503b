/// How large a picture is shown on a terminal, whose cells are twice as high as they are wide.
struct PictureFit: Equatable {
  /// How many columns it takes.
  let columns: Int
  /// How many half rows it takes.
  let halfRows: Int

  /// The picture in its proportions: no wider than the terminal and no larger than it is.
  ///
  /// - Parameters:
  ///   - width: How many pixels a row has.
  ///   - height: How many rows of pixels there are.
  ///   - columns: How many columns the terminal has.
  init(width: Int, height: Int, columns: Int) {
    let fitting = max(min(width, columns), 1)
    // A picture that is far higher than wide would scroll for ever.
    let highest = fitting * 4
    let rows = Int((Double(height) * Double(fitting) / Double(width)).rounded())
    if rows <= highest {
      (self.columns, halfRows) = (fitting, max(rows, 1))
    } else {
      let narrow = Int((Double(width) * Double(highest) / Double(height)).rounded())
      (self.columns, halfRows) = (max(narrow, 1), highest)
    }
  }
}
