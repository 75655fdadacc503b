import Testing

/// Expects two values to be the same. `#expect` takes no call that changes a value, so its result is handed over.
func same<Value: Equatable>(
  _ actual: Value, _ expected: Value, sourceLocation: SourceLocation = #_sourceLocation
) {
  #expect(actual == expected, sourceLocation: sourceLocation)
}
