import NIOCore

/// One event loop of an engine, and what all pools on it share.
///
/// Unchecked because ticker and answers are confined to the loop beside them, which debug builds assert.
struct EngineLane: @unchecked Sendable {
  let loop: any EventLoop
  let ticker: DeadlineTicker
  let answers: AnswerQueue

  init(_ loop: any EventLoop) {
    self.loop = loop
    ticker = DeadlineTicker(loop: loop)
    answers = AnswerQueue(loop: loop)
  }
}
