public import Testing
public struct X: TestTrait {}
