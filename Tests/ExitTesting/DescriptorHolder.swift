#if os(Linux)
import Glibc

/// Takes all file descriptors of this process, of which it allows few.
public final class DescriptorHolder {
  private var taken: [CInt] = []

  /// Takes all descriptors that are free.
  public init() {
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    limit.rlim_cur = min(limit.rlim_max, 512)
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    while case let descriptor = open("/dev/null", O_RDONLY), descriptor >= 0 {
      taken.append(descriptor)
    }
  }

  /// Makes them free again.
  public func release() {
    taken.forEach { close($0) }
    taken = []
  }
}
#endif
