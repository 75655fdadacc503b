import Foundation
import MartletCore

/// What a download has to do beside sending its request.
struct DownloadPlan: Sendable {
  /// Where the bytes lie until the file is complete.
  var partial: URL
  /// What an earlier download left there.
  var resuming: ResumeData?
  /// What the whole file must come to.
  var checksum: Checksum?
  /// Which responses are worth a file. The default takes all.
  var accepts: @Sendable (ResponseHead) -> Bool = { _ in true }
  /// Why a response, of which the first bytes are at hand, is not.
  var rejection: @Sendable (Response, Data) -> MartletError
  /// The final name, once a head is there. The default, `nil`, leaves the file where it is.
  var name: (@Sendable (ResponseHead) throws -> FinalName)?
  /// Notes what will be left, before it is there. The default notes nothing.
  var record: @Sendable (ResumeData) throws -> Void = { _ in }

  init(
    partial: URL, resuming: ResumeData? = nil,
    rejection: @escaping @Sendable (Response, Data) -> MartletError
  ) {
    self.partial = partial
    self.resuming = resuming
    self.rejection = rejection
  }

  /// Whether the file, when it is complete, is known to its task alone.
  var isTemporary: Bool { name == nil && resuming == nil }

  /// Removes what is there: it is of no use.
  func removePartial() {
    try? FileManager.default.removeItem(at: partial)
  }
}
