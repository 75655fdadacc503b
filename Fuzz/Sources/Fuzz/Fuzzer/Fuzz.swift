import CLibFuzzer
import Foundation

/// Runs libFuzzer on the target that the environment names: `FUZZ_TARGET=xml Fuzz -max_total_time=60`.
@main
enum Fuzz {
  static let target = ProcessInfo.processInfo.environment["FUZZ_TARGET"].flatMap(Target.init)

  static func main() {
    guard target != nil else {
      print("Set FUZZ_TARGET to one of:", Target.allCases.map(\.rawValue).joined(separator: " "))
      exit(64)
    }
    var count = CommandLine.argc
    var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
    exit(
      LLVMFuzzerRunDriver(&count, &arguments) { bytes, size in
        try? Fuzz.target?.run(bytes.map { Data(bytes: $0, count: size) } ?? Data())
        return 0
      })
  }
}
