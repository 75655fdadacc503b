import MartletCore
import MartletTesting
import NIOCore

/// Faults of HTTP/2 before the response and within it.
extension FrameFault {
  static let headFaults = [
    FrameFault(.head, "sends nothing", .waitTimeOut) { _ in },
    FrameFault(.head, "closes the connection", .lost) { await $0.close() },
    FrameFault(.head, "resets the connection", .lost) { try await $0.abort() },
    FrameFault(.head, "closes its direction", .lost) { try await $0.closeOutput() },
    FrameFault(.head, "resets the stream: INTERNAL_ERROR", .streamReset("INTERNAL_ERROR", .wait)) {
      $0.send(.reset(1, .internalError))
    },
    FrameFault(.head, "resets the stream: CANCEL", .streamReset("CANCEL", .wait)) {
      $0.send(.reset(1, .cancel))
    },
    FrameFault(
      .head, "resets the stream: ENHANCE_YOUR_CALM", .streamReset("ENHANCE_YOUR_CALM", .wait)
    ) {
      $0.send(.reset(1, .enhanceYourCalm))
    },
    FrameFault(.head, "refuses the stream", .answer(), isSentAgain: true) {
      $0.send(.reset(1, .refusedStream))
    },
    FrameFault(.head, "goes away before the request", .answer(), isSentAgain: true) {
      $0.send(.goAway(0))
    },
    FrameFault(.head, "goes away and answers", .answer()) {
      $0.send(.goAway(1))
      $0.answer(1)
    },
    FrameFault(.head, "goes away and closes", .lost) {
      $0.send(.goAway(1))
      await $0.close()
    },
    FrameFault(.head, "goes away with an error after a GET", .answer(), isSentAgain: true) {
      $0.send(.goAway(1, .internalError, "out of memory"))
      await $0.close()
    },
    FrameFault(
      .head, "goes away with an error after a POST", exchange: .post,
      .error(
        .connectionLost, .wait,
        "{origin} closed the connection (INTERNAL_ERROR, “out of memory”): try again later.")
    ) {
      $0.send(.goAway(1, .internalError, "out of memory"))
      await $0.close()
    },
    FrameFault(.head, "answers in HTTP/1.1", .rulesBroken("FRAME_SIZE_ERROR")) {
      $0.send(ByteBuffer(string: "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n"))
    },
    FrameFault(.head, "sends DATA before a head", .badResponse("PROTOCOL_ERROR")) {
      $0.send(.data(1, "ok", end: true))
    },
    FrameFault(.head, "sends it byte by byte", .answer()) {
      // The stream of a frame is known after 9 bytes, which take a small part of the time-out.
      let value = String(repeating: "x", count: 80)
      try await $0.drip(
        .headers(1, [":status": "200", "name": value]), over: FaultExchange.idle * 2)
      $0.send(.data(1, "ok", end: true))
    },
  ]

  static let fieldFaults = [
    FrameFault(.fields, "sends a part and falls silent", .receiveTimeOut) {
      $0.sendHalfOfFields()
      // The end comes too late, so that the connection can be used again.
      try await Task.sleep(for: FaultExchange.idle * 2)
      $0.send(RawFrame(kind: .continuation, flags: RawFrame.endHeaders, stream: 1))
    },
    FrameFault(.fields, "closes the connection within them", .lost) {
      $0.sendHalfOfFields()
      await $0.close()
    },
    FrameFault(.fields, "resets the connection within them", .lost) {
      $0.sendHalfOfFields()
      try await $0.abort()
    },
    FrameFault(.fields, "closes its direction within them", .lost) {
      $0.sendHalfOfFields()
      try await $0.closeOutput()
    },
    FrameFault(.fields, "resets the stream within them", .rulesBroken("PROTOCOL_ERROR")) {
      $0.sendHalfOfFields()
      $0.send(.reset(1, .cancel))
    },
    FrameFault(.fields, "goes away within them", .rulesBroken("PROTOCOL_ERROR")) {
      $0.sendHalfOfFields()
      $0.send(.goAway(1))
    },
    FrameFault(.fields, "sends 80 KiB", .headTooLarge) {
      $0.sendHalfOfFields()
      $0.sendFields(ofKiB: 80)
    },
    FrameFault(.fields, "sends no status", .badResponse("PROTOCOL_ERROR")) {
      $0.send(.headers(1, ["a": "b"]))
    },
    FrameFault(.fields, "sends a status of two digits", .malformedHTTP2("its status is “20”")) {
      $0.send(.headers(1, [":status": "20"]))
    },
    FrameFault(.fields, "sends an unknown pseudo-header", .badResponse("PROTOCOL_ERROR")) {
      $0.send(.headers(1, [":status": "200", ":what": "x"]))
    },
    FrameFault(.fields, "sends a name in upper case", .badResponse("PROTOCOL_ERROR")) {
      $0.send(.headers(1, [":status": "200", "Name": "x"]))
    },
    FrameFault(.fields, "sends a field of the connection", .badResponse("PROTOCOL_ERROR")) {
      $0.send(.headers(1, [":status": "200", "connection": "close"]))
    },
    FrameFault(
      .fields, "sends a NUL",
      .malformedHTTP2("the value of its header “a” holds a control character")
    ) {
      $0.send(.headers(1, [":status": "200", "a": "b\0c"]))
    },
    FrameFault(.fields, "announces two lengths", .badResponse("PROTOCOL_ERROR")) {
      $0.send(.headers(1, [":status": "200", "content-length": "1", "content-length": "2"]))
    },
    FrameFault(.fields, "announces a length below zero", .badResponse("PROTOCOL_ERROR")) {
      $0.send(.headers(1, [":status": "200", "content-length": "-1"]))
    },
    FrameFault(.fields, "switches to another protocol", .badResponse("PROTOCOL_ERROR")) {
      $0.send(.headers(1, [":status": "101"]))
    },
    FrameFault(
      .fields, "sends a header block that cannot be read", .rulesBroken("COMPRESSION_ERROR")
    ) {
      var frame = RawFrame.headers(1)
      frame.payload = ByteBuffer(bytes: [0xFF, 0x80, 0x01])
      $0.send(frame)
    },
    FrameFault(.fields, "sends many interim responses", .answer()) { connection in
      for _ in 0..<200 { connection.send(.headers(1, [":status": "103"])) }
      connection.answer(1)
    },
  ]

  static let bodyFaults = [
    FrameFault(.body, "falls silent", .receiveTimeOut) { $0.sendThreeOfTen() },
    FrameFault(.body, "closes the connection", .cutShort(after: "3 of 10")) {
      $0.sendThreeOfTen()
      await $0.close()
    },
    FrameFault(.body, "resets the connection", .cutShort(after: "3 of 10")) {
      $0.sendThreeOfTen()
      try await $0.settle()
      try await $0.abort()
    },
    FrameFault(.body, "closes its direction", .cutShort(after: "3 of 10")) {
      $0.sendThreeOfTen()
      try await $0.closeOutput()
    },
    FrameFault(.body, "resets the stream", .streamReset("INTERNAL_ERROR", .receive)) {
      $0.sendThreeOfTen()
      $0.send(.reset(1, .internalError))
    },
    FrameFault(.body, "goes away and closes", .cutShort(after: "3 of 10")) {
      $0.sendThreeOfTen()
      $0.send(.goAway(1))
      await $0.close()
    },
    FrameFault(.body, "goes away and sends the rest", .answer("0123456789")) {
      $0.sendThreeOfTen()
      $0.send(.goAway(1), .data(1, "3456789", end: true))
    },
    FrameFault(.body, "ends it early", .badResponse("PROTOCOL_ERROR")) {
      $0.sendThreeOfTen()
      $0.send(.data(1, "3456", end: true))
    },
    FrameFault(.body, "sends more than it announced", .badResponse("PROTOCOL_ERROR")) {
      $0.sendThreeOfTen()
      $0.send(.data(1, "3456789surplus", end: true))
    },
    FrameFault(.body, "sends it byte by byte", .answer("0123456789")) { connection in
      connection.send(.headers(1, [":status": "200", "content-length": "10"]))
      for digit in 0..<10 {
        connection.send(.data(1, "\(digit)", end: digit == 9))
        try await Task.sleep(for: FaultExchange.idle / 5)
      }
    },
    FrameFault(.body, "sends a frame that is too long", .rulesBroken("FRAME_SIZE_ERROR")) {
      $0.send(.headers(1), .data(1, count: 16_385))
    },
    FrameFault(.body, "sends more padding than payload", .rulesBroken("PROTOCOL_ERROR")) {
      $0.send(
        .headers(1),
        RawFrame(
          kind: .data, flags: RawFrame.padded, stream: 1, payload: ByteBuffer(bytes: [200, 1, 2])))
    },
  ]

  static let trailerFaults = [
    FrameFault(.trailers, "falls silent", .receiveTimeOut) {
      $0.send(.headers(1), .data(1, "ok"))
    },
    FrameFault(.trailers, "closes the connection", .cutShort(after: "2")) {
      $0.send(.headers(1), .data(1, "ok"))
      await $0.close()
    },
    FrameFault(.trailers, "resets the connection", .cutShort(after: "2")) {
      $0.send(.headers(1), .data(1, "ok"))
      try await $0.settle()
      try await $0.abort()
    },
    FrameFault(.trailers, "closes its direction", .cutShort(after: "2")) {
      $0.send(.headers(1), .data(1, "ok"))
      try await $0.closeOutput()
    },
    FrameFault(.trailers, "resets the stream", .streamReset("INTERNAL_ERROR", .receive)) {
      $0.send(.headers(1), .data(1, "ok"), .reset(1, .internalError))
    },
    FrameFault(.trailers, "resets the stream without an error", .streamReset("NO_ERROR", .receive))
    {
      $0.send(.headers(1), .data(1, "ok"), .reset(1, .noError))
    },
    FrameFault(.trailers, "goes away and sends them", .answer()) {
      $0.send(.headers(1), .data(1, "ok"), .goAway(1), .headers(1, ["sum": "1"], end: true))
    },
    FrameFault(.trailers, "sends them byte by byte", .answer()) {
      $0.send(.headers(1), .data(1, "ok"))
      let value = String(repeating: "x", count: 80)
      try await $0.drip(.headers(1, ["sum": value], end: true), over: FaultExchange.idle * 2)
    },
    FrameFault(.trailers, "sends 80 KiB", .headTooLarge) {
      $0.send(.headers(1), .data(1, "ok"))
      $0.sendHalfOfFields([:], end: true)
      $0.sendFields(ofKiB: 80)
    },
    FrameFault(.trailers, "sends a status", .badResponse("PROTOCOL_ERROR")) {
      $0.send(.headers(1), .data(1, "ok"), .headers(1, [":status": "200"], end: true))
    },
    FrameFault(.trailers, "does not end the stream", .badResponse("PROTOCOL_ERROR")) {
      $0.send(.headers(1), .data(1, "ok"), .headers(1, ["sum": "1"]))
    },
    FrameFault(.trailers, "sends them late", .answer()) {
      $0.send(.headers(1), .data(1, "ok"))
      try await Task.sleep(for: FaultExchange.idle / 2)
      $0.send(.headers(1, ["sum": "1"], end: true))
    },
  ]
}

extension FrameConnection {
  /// A head that announces ten bytes, and three of them.
  fileprivate func sendThreeOfTen() {
    send(.headers(1, [":status": "200", "content-length": "10"]), .data(1, "012"))
  }

  /// A head without its end, which CONTINUATION frames go on with.
  fileprivate func sendHalfOfFields(
    _ fields: KeyValuePairs<String, String> = [":status": "200"], end: Bool = false
  ) {
    var frame = RawFrame.headers(1, fields, end: end)
    frame.flags &= ~RawFrame.endHeaders
    send(frame)
  }

  /// The rest of a head, of so many fields of 1 KiB.
  fileprivate func sendFields(ofKiB count: Int) {
    let payload = RawFrame.block(["name": String(repeating: "x", count: 1 << 10)])
    for number in 1...count {
      let flags = number == count ? RawFrame.endHeaders : 0
      send(RawFrame(kind: .continuation, flags: flags, stream: 1, payload: payload))
    }
  }

  /// Sends a frame byte by byte. A late byte does not delay those after it.
  fileprivate func drip(_ frame: RawFrame, over duration: Duration) async throws {
    let (bytes, start) = (frame.bytes, ContinuousClock.now)
    for (sent, byte) in bytes.readableBytesView.enumerated() {
      try await Task.sleep(until: start + duration * sent / bytes.readableBytes)
      send(ByteBuffer(integer: byte))
    }
  }
}

extension FaultEnding {
  static let notHTTP2 = FaultEnding.error(
    .protocolNotSupported, .receive,
    "{origin} does not speak HTTP/2: set `versions` to `.automatic` to allow HTTP/1.1.")

  static func streamReset(_ code: String, _ phase: MartletError.Phase) -> FaultEnding {
    .error(
      .streamReset, phase, "{origin} reset the stream of the request (\(code)): try again later.")
  }

  static func rulesBroken(_ code: String) -> FaultEnding {
    .error(
      .connectionLost, .receive,
      "{origin} broke the rules of HTTP/2 (\(code)), so the connection was closed: set `versions` to `.http1` to use HTTP/1.1 instead."
    )
  }

  static func badResponse(_ code: String) -> FaultEnding {
    .error(
      .malformedResponse, .receive,
      "The response of {origin} breaks the rules of HTTP/2 (\(code)): report it to the operator of the server."
    )
  }

  static func malformedHTTP2(_ reason: String) -> FaultEnding {
    .error(
      .malformedResponse, .receive,
      "The server's response is not HTTP/2: \(reason).")
  }
}
