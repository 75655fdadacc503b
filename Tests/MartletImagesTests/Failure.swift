import Martlet

/// The error that `body` throws, if it throws one of Martlet's.
func failure<Result>(_ body: () throws -> Result) -> MartletError? {
  do {
    _ = try body()
    return nil
  } catch {
    return error as? MartletError
  }
}
