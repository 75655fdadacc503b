import HTTPTypes

/// Fields that are made out of the last ones: what is the same stays, and only what differs is put in.
struct EditedFields {
  private var fields: HTTPFields
  private(set) var count = 0

  /// - Parameter last: What to begin with.
  init(_ last: HTTPFields) {
    fields = last
  }

  /// The next field stays as it was.
  mutating func keep() {
    count += 1
  }

  /// The next field is this one.
  mutating func put(_ field: HTTPField) {
    defer { count += 1 }
    guard count < fields.count else { return fields.append(field) }
    if fields[count] == field {
      // Equal and yet not the same, such as a name in another case: assigning would leave it as it was.
      fields.replaceSubrange(count..<count + 1, with: CollectionOfOne(field))
    } else {
      fields[count] = field
    }
  }

  /// The field that was put in or kept last.
  var last: HTTPField? {
    get { count > 0 ? fields[count - 1] : nil }
    set { if let newValue, count > 0 { fields[count - 1] = newValue } }
  }

  /// What the next field would be if it stayed.
  var next: HTTPField? { count < fields.count ? fields[count] : nil }

  /// The fields, when there are no more.
  mutating func finish() -> HTTPFields {
    if fields.count > count { fields.removeLast(fields.count - count) }
    return fields
  }
}
