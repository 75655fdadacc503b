import HTTPTypes
import MartletCore
import MartletTesting
import NIOCore

/// Faults before the request, between two requests, during an upload and while the call is suspended.
extension ServerFault {
  static let connectionFaults = [
    ServerFault(
      .accept, "closes at once", [.readBytes(1), .close], routes: FaultRoute.plainRoutes, .lost),
    ServerFault(
      .accept, "resets at once", [.readBytes(1), .reset], routes: FaultRoute.plainRoutes, .lost),
    ServerFault(
      .accept, "closes its direction at once", [.readBytes(1), .halfClose, .stall],
      routes: FaultRoute.plainRoutes, .lost),
    ServerFault(.accept, "says nothing", [.stall], routes: FaultRoute.plainRoutes, .waitTimeOut),
    ServerFault(
      .accept, "never reads", [.stopReading, .stall], routes: FaultRoute.plainRoutes, .waitTimeOut),
    ServerFault(
      .kept, "closes it while it is idle",
      [.readRequest, .reply(okResponse), .close],
      exchange: .second(.post, afterEnd: true),
      .answer()),
    ServerFault(
      .kept, "resets it while it is idle",
      [.readRequest, .reply(okResponse), .reset],
      exchange: .second(.post, afterEnd: true),
      .answer()),
    ServerFault(
      .kept, "closes its direction while it is idle",
      [.readRequest, .reply(okResponse), .halfClose, .stall],
      exchange: .second(.post, afterEnd: true), .answer()),
    ServerFault(
      .kept, "sends bytes while it is idle",
      [.readRequest, .reply(okResponse), .send("HTTP/1.1 408 Request Timeout\r\n\r\n"), .stall],
      exchange: .second(.post, afterEnd: true), .answer()),
    ServerFault(
      .kept, "closes it when a GET has come",
      [.readRequest, .reply(okResponse), .readRequest, .close],
      exchange: .second(.get), sendings: 2, .answer()),
    ServerFault(
      .kept, "resets it when a GET has come",
      [.readRequest, .reply(okResponse), .readRequest, .reset],
      exchange: .second(.get), sendings: 2, .answer()),
    ServerFault(
      .kept, "closes it when a POST has come",
      [.readRequest, .reply(okResponse), .readRequest, .close],
      exchange: .second(.post), .lost),
    ServerFault(
      .kept, "resets it when a POST has come",
      [.readRequest, .reply(okResponse), .readRequest, .reset],
      exchange: .second(.post), .lost),
    ServerFault(
      .kept, "falls silent when a GET has come",
      [.readRequest, .reply(okResponse), .readRequest, .stall],
      exchange: .second(.get), .waitTimeOut),
    ServerFault(
      .kept, "sends a part of an answer and closes",
      [.readRequest, .reply(okResponse), .readRequest, .send("HTTP/1.1 2"), .close],
      exchange: .second(.get),
      .notHTTP("the connection ended within its head")),
  ]

  static let uploadFaults = [
    ServerFault(
      .upload, "stops reading", [.readHead, .stopReading, .stall], exchange: .upload(16 << 20),
      routes: FaultRoute.directRoutes,
      .sendTimeOut),
    ServerFault(
      .upload, "stops reading for a while",
      [
        .readHead, .stopReading, .wait(FaultExchange.idle / 2), .resumeReading, .readRequest,
        .reply(okResponse),
      ],
      exchange: .upload(), routes: FaultRoute.directRoutes, .answer()),
    ServerFault(
      .upload, "stops reading again and again",
      [.readHead] + reading(upTo: 4 << 20, 8 << 20, 12 << 20) + [.readRequest, .reply(okResponse)],
      exchange: .upload(16 << 20), routes: FaultRoute.directRoutes, .answer()),
    ServerFault(
      .upload, "closes the connection", [.readHead, .close], exchange: .upload(16 << 20),
      routes: FaultRoute.directRoutes,
      .lostInUpload),
    ServerFault(
      .upload, "resets the connection", [.readHead, .reset], exchange: .upload(16 << 20),
      routes: FaultRoute.directRoutes,
      .lostInUpload),
    ServerFault(
      .upload, "closes its direction", [.readHead, .halfClose, .stall], exchange: .upload(16 << 20),
      routes: FaultRoute.directRoutes,
      .lostInUpload),
    ServerFault(
      .upload, "answers early and reads on",
      [.readHead, .reply(okResponse), .readRequest, .readRequest, .reply(okResponse)],
      exchange: .upload(), .answer()),
    ServerFault(
      .upload, "sends garbage", [.readHead, .send("oops"), .stall], exchange: .upload(),
      .otherProtocol("it begins with “oops”")),
    ServerFault(
      .upload, "sends an alert of TLS",
      [.readHead, .sendBytes(ByteBuffer(bytes: [21, 3, 3, 0, 2, 2, 40])), .stall],
      exchange: .upload(),
      .otherProtocol("it begins with “\\u{15}\\u{3}\\u{3}\\u{0}\\u{2}\\u{2}(”")),
    ServerFault(
      .upload, "answers byte by byte",
      [.readRequest, drip(ok + "Content-Length: 2\r\n\r\nok")], exchange: .upload(), .answer()),
    ServerFault(
      .upload, "falls silent after it", [.readRequest, .stall], exchange: .upload(),
      .waitTimeOut),
    ServerFault(
      .upload, "closes the connection after it", [.readRequest, .close],
      exchange: .upload(), .lost),
  ]

  static let pauseFaults = [
    ServerFault(
      .pause, "sends the rest",
      [
        .readRequest, .send(half), .wait(FaultExchange.idle / 5), .send("56789"), .readRequest,
        .reply(okResponse),
      ],
      exchange: .paused, .answer("0123456789")),
    ServerFault(
      .pause, "falls silent", [.readRequest, .send(half), .stall], exchange: .paused,
      .receiveTimeOut),
    ServerFault(
      .pause, "is silent for long and goes on",
      [
        .readRequest, .send(half), .wait(FaultExchange.idle * 2), .send("56789"), .readRequest,
        .reply(okResponse),
      ],
      exchange: .paused,
      .answer("0123456789")),
    ServerFault(
      .pause, "closes the connection",
      [.readRequest, .send(half), .wait(FaultExchange.idle / 5), .close],
      exchange: .paused,
      .cutShort(after: "5 of 10")),
    ServerFault(
      .pause, "resets the connection",
      [.readRequest, .send(half), .wait(FaultExchange.idle / 5), .reset],
      exchange: .paused,
      .cutShort(after: "5 of 10")),
    ServerFault(
      .pause, "closes its direction",
      [.readRequest, .send(half), .wait(FaultExchange.idle / 5), .halfClose, .stall],
      exchange: .paused, .cutShort(after: "5 of 10")),
    ServerFault(
      .pause, "sends the rest byte by byte",
      [.readRequest, .send(half), drip("56789")], exchange: .paused, .answer("0123456789")),
    ServerFault(
      .pause, "sends more than it announced",
      [.readRequest, .send(half), .wait(FaultExchange.idle / 5), .send("56789surplus"), .stall],
      exchange: .paused, .answer("0123456789")),
    ServerFault(
      .pause, "sends a chunk size that is no number",
      [
        .readRequest, .send(ok + "Transfer-Encoding: chunked\r\n\r\n5\r\n01234\r\n"),
        .wait(FaultExchange.idle / 5), .send("zz\r\n"), .stall,
      ],
      exchange: .paused, .notHTTP("the size of a chunk is “zz\\u{d}”")),
    ServerFault(
      .pause, "sends the rest and closes",
      [.readRequest, .send(half), .wait(FaultExchange.idle / 5), .send("56789"), .close],
      exchange: .paused, .answer("0123456789")),
  ]

  /// Reads up to each of these numbers of bytes, after a pause that is nearly as long as the time-out.
  private static func reading(upTo counts: Int...) -> [Script.Step] {
    counts.flatMap { count in
      [.stopReading, .wait(FaultExchange.idle * 4 / 5), .resumeReading, .readBytes(count)]
        as [Script.Step]
    }
  }

  private static let okResponse = CannedResponse(200, ["Content-Type": "text/plain"], "ok")
  private static let half = ok + "Content-Length: 10\r\n\r\n01234"
}
