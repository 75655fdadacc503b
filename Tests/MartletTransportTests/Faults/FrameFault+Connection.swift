import HTTPTypes
import MartletCore
import MartletTesting
import MartletTransport
import NIOCore

/// Faults of HTTP/2 between two requests, during an upload and while the call is suspended.
extension FrameFault {
  /// What a server does in place of its SETTINGS, before them, or at once after them.
  static let acceptFaults = [
    FrameFault(.accept, "closes the connection", .lost) { await $0.close() },
    FrameFault(.accept, "resets the connection", .lost) { try await $0.abort() },
    FrameFault(.accept, "closes its direction", .lost) { try await $0.closeOutput() },
    FrameFault(.accept, "sends an alert of TLS", .notHTTP2) {
      $0.send(ByteBuffer(bytes: [21, 3, 3, 0, 2, 2, 40]))
    },
    FrameFault(.accept, "says nothing", .waitTimeOut) {
      // The SETTINGS come too late, so that the connection can be used again.
      try await Task.sleep(for: FaultExchange.idle * 2)
      try await $0.greet()
    },
    FrameFault(.accept, "sends SETTINGS late", .answer()) {
      try await Task.sleep(for: FaultExchange.idle / 2)
      try await $0.greet()
      $0.answer(1)
    },
    FrameFault(.accept, "sends another frame before SETTINGS", .rulesBroken("PROTOCOL_ERROR")) {
      $0.send(.ping(1))
    },
    FrameFault(.accept, "sends bytes of no protocol", .notHTTP2) {
      $0.send(ByteBuffer(bytes: [0, 255, 7, 128, 0, 0, 0, 0, 0, 0, 0, 0]))
    },
    FrameFault(.accept, "answers in HTTP/1.1", .notHTTP2) {
      $0.send(ByteBuffer(string: "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n"))
    },
    FrameFault(.accept, "goes away at once", .answer(), isSentAgain: true) {
      try await $0.greet()
      $0.send(.goAway(0))
    },
  ]

  static let keptFaults = [
    FrameFault(
      .kept, "goes away while it is idle", exchange: .second(.post, afterEnd: true), .answer()
    ) {
      $0.answer(1)
      $0.send(.goAway(1))
    },
    FrameFault(
      .kept, "closes it while it is idle", exchange: .second(.post, afterEnd: true), .answer()
    ) {
      $0.answer(1)
      await $0.close()
    },
    FrameFault(
      .kept, "resets it while it is idle", exchange: .second(.post, afterEnd: true), .answer()
    ) {
      $0.answer(1)
      try await $0.settle()
      try await $0.abort()
    },
    FrameFault(
      .kept, "closes its direction while it is idle", exchange: .second(.post, afterEnd: true),
      .answer()
    ) {
      $0.answer(1)
      try await $0.settle()
      try await $0.closeOutput()
    },
    FrameFault(
      .kept, "breaks its rules while it is idle", exchange: .second(.post, afterEnd: true),
      .answer()
    ) {
      $0.answer(1)
      $0.send(.windowUpdate(0, 0))
    },
    FrameFault(
      .kept, "closes it when a GET has come", exchange: .second(.get), .answer(), isSentAgain: true
    ) {
      $0.answer(1)
      _ = try await $0.request()
      await $0.close()
    },
    FrameFault(
      .kept, "resets it when a GET has come", exchange: .second(.get), .answer(), isSentAgain: true
    ) {
      $0.answer(1)
      _ = try await $0.request()
      try await $0.abort()
    },
    FrameFault(
      .kept, "refuses the stream of a POST that has come", exchange: .second(.post), .answer(),
      isSentAgain: true
    ) {
      $0.answer(1)
      _ = try await $0.request()
      $0.send(.reset(3, .refusedStream))
    },
    FrameFault(.kept, "resets it when a POST has come", exchange: .second(.post), .lost) {
      $0.answer(1)
      _ = try await $0.request()
      try await $0.waitForData(3, on: 3)
      try await $0.abort()
    },
    FrameFault(.kept, "closes it when a POST has come", exchange: .second(.post), .lost) {
      $0.answer(1)
      _ = try await $0.request()
      try await $0.waitForData(3, on: 3)
      await $0.close()
    },
    FrameFault(
      .kept, "goes away before a POST that has come", exchange: .second(.post), .answer(),
      isSentAgain: true
    ) {
      $0.answer(1)
      _ = try await $0.request()
      $0.send(.goAway(1))
    },
    FrameFault(.kept, "falls silent when a GET has come", exchange: .second(.get), .waitTimeOut) {
      $0.answer(1)
      _ = try await $0.request()
    },
  ]

  static let uploadFaults = [
    FrameFault(.upload, "gives no more window", exchange: .upload(), .sendTimeOut) { _ in },
    FrameFault(.upload, "gives window in small steps", exchange: .upload(80_000), .answer()) {
      connection in
      for _ in 0..<5 {
        try await Task.sleep(for: FaultExchange.idle * 4 / 5)
        connection.send(.windowUpdate(0, 3_000), .windowUpdate(1, 3_000))
      }
      try await connection.waitForData(80_000, on: 1)
      connection.answer(1)
    },
    FrameFault(.upload, "gives window byte by byte", exchange: .upload(65_600), .answer()) {
      connection in
      for _ in 0..<65 { connection.send(.windowUpdate(0, 1), .windowUpdate(1, 1)) }
      try await connection.waitForData(65_600, on: 1)
      connection.answer(1)
    },
    FrameFault(.upload, "takes window away and gives it back", exchange: .upload(), .answer()) {
      connection in
      connection.send(.settings([.initialWindowSize: 0]))
      try await Task.sleep(for: FaultExchange.idle / 2)
      connection.send(.settings([.initialWindowSize: 2 << 20]), .windowUpdate(0, 2 << 20))
      try await connection.waitForData(1 << 20, on: 1)
      connection.answer(1)
    },
    FrameFault(
      .upload, "gives more window than there is", exchange: .upload(),
      .badResponse("FLOW_CONTROL_ERROR")
    ) {
      $0.send(.windowUpdate(1, 0x7FFF_FFFF), .windowUpdate(1, 0x7FFF_FFFF))
    },
    FrameFault(
      .upload, "gives the connection more window than there is", exchange: .upload(),
      .rulesBroken("FLOW_CONTROL_ERROR")
    ) {
      $0.send(.windowUpdate(0, 0x7FFF_FFFF), .windowUpdate(0, 0x7FFF_FFFF))
    },
    FrameFault(
      .upload, "gives a window of nothing", exchange: .upload(), .badResponse("PROTOCOL_ERROR")
    ) {
      $0.send(.windowUpdate(1, 0))
    },
    FrameFault(
      .upload, "sends bytes of no protocol", exchange: .upload(), .rulesBroken("FRAME_SIZE_ERROR")
    ) {
      $0.send(ByteBuffer(repeating: 0xFF, count: 20))
    },
    FrameFault(.upload, "resets the stream", exchange: .upload(), .streamReset("CANCEL", .send)) {
      $0.send(.reset(1, .cancel))
    },
    FrameFault(.upload, "answers and resets the stream", exchange: .upload(), .answer()) {
      $0.answer(1)
      $0.send(.reset(1, .noError))
    },
    FrameFault(.upload, "answers early and reads on", exchange: .upload(), .answer()) {
      $0.answer(1)
      $0.send(.windowUpdate(0, 1 << 20), .windowUpdate(1, 1 << 20))
    },
    FrameFault(.upload, "goes away and reads on", exchange: .upload(), .answer()) {
      $0.send(.goAway(1), .windowUpdate(0, 1 << 20), .windowUpdate(1, 1 << 20))
      try await $0.waitForData(1 << 20, on: 1)
      $0.answer(1)
    },
    FrameFault(.upload, "closes the connection", exchange: .upload(), .lostInUpload) {
      await $0.close()
    },
    FrameFault(.upload, "resets the connection", exchange: .upload(), .lostInUpload) {
      try await $0.abort()
    },
    FrameFault(.upload, "closes its direction", exchange: .upload(), .lostInUpload) {
      try await $0.closeOutput()
    },
    FrameFault(
      .upload, "goes away before it", exchange: .upload(), .answer(), isSentAgain: true
    ) {
      $0.send(.goAway(0))
    },
    FrameFault(.upload, "falls silent after it", exchange: .upload(60_000), .waitTimeOut) {
      try await $0.waitForData(60_000, on: 1)
    },
  ]

  static let pauseFaults = [
    FrameFault(.pause, "sends the rest", exchange: .paused, .answer("0123456789")) {
      $0.sendHalf()
      try await Task.sleep(for: FaultExchange.idle / 5)
      $0.send(.data(1, "56789", end: true))
    },
    FrameFault(.pause, "falls silent", exchange: .paused, .receiveTimeOut) { $0.sendHalf() },
    FrameFault(.pause, "is silent for long and goes on", exchange: .paused, .answer("0123456789")) {
      $0.sendHalf()
      try await Task.sleep(for: FaultExchange.idle * 2)
      $0.send(.data(1, "56789", end: true))
    },
    FrameFault(.pause, "closes the connection", exchange: .paused, .cutShort(after: "5 of 10")) {
      $0.sendHalf()
      try await Task.sleep(for: FaultExchange.idle / 5)
      await $0.close()
    },
    FrameFault(.pause, "resets the connection", exchange: .paused, .cutShort(after: "5 of 10")) {
      $0.sendHalf()
      try await Task.sleep(for: FaultExchange.idle / 5)
      try await $0.abort()
    },
    FrameFault(.pause, "closes its direction", exchange: .paused, .cutShort(after: "5 of 10")) {
      $0.sendHalf()
      try await Task.sleep(for: FaultExchange.idle / 5)
      try await $0.closeOutput()
    },
    FrameFault(
      .pause, "sends more than it announced", exchange: .paused, .badResponse("PROTOCOL_ERROR")
    ) {
      $0.sendHalf()
      try await Task.sleep(for: FaultExchange.idle / 5)
      $0.send(.data(1, "56789surplus", end: true))
    },
    FrameFault(
      .pause, "sends more than its window", exchange: .paused, .badResponse("FLOW_CONTROL_ERROR")
    ) {
      $0.send(.headers(1), .data(1, "01234"))
      try await Task.sleep(for: FaultExchange.idle / 5)
      // While the call is suspended, the client gives no more than the initial window. The last frame exceeds it.
      let window = HTTPTransportConfiguration().http2.initialStreamWindowSize
      for _ in 0..<window / 16_384 { $0.send(.data(1, count: 16_384)) }
    },
    FrameFault(
      .pause, "resets the stream", exchange: .paused, .streamReset("INTERNAL_ERROR", .receive)
    ) {
      $0.sendHalf()
      try await Task.sleep(for: FaultExchange.idle / 5)
      $0.send(.reset(1, .internalError))
    },
    FrameFault(.pause, "goes away and sends the rest", exchange: .paused, .answer("0123456789")) {
      $0.sendHalf()
      try await Task.sleep(for: FaultExchange.idle / 5)
      $0.send(.goAway(1), .data(1, "56789", end: true))
    },
  ]
}

extension FrameConnection {
  /// A head that announces ten bytes, and five of them.
  fileprivate func sendHalf() {
    send(.headers(1, [":status": "200", "content-length": "10"]), .data(1, "01234"))
  }
}
