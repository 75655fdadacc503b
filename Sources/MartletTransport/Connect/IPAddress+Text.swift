import Foundation
import MartletCore

extension IPAddress {
  /// The address that a text stands for, its zone aside; `nil` when it stands for none.
  init?(_ text: some StringProtocol, port: Int) {
    let bare = String(text.prefix { $0 != "%" })
    var four = in_addr()
    var six = in6_addr()
    if inet_pton(AF_INET, bare, &four) == 1 {
      self.init(bytes: withUnsafeBytes(of: four) { Array($0) }, port: port)
    } else if inet_pton(AF_INET6, bare, &six) == 1 {
      self.init(bytes: withUnsafeBytes(of: six) { Array($0) }, port: port)
    } else {
      return nil
    }
  }
}
