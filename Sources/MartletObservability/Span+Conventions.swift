import HTTPTypes
import MartletCore
import Tracing

/// The attributes of spans after OpenTelemetry's conventions for HTTP clients.
extension Span {
  /// Describes the span of a call.
  func describe(call request: Request) {
    attributes = ["http.request.method": .string(Conventions.name(of: request.method))]
  }

  /// Describes the span of an attempt, with what is known at its begin.
  ///
  /// - Parameters:
  ///   - request: The request, as the attempt sends it.
  ///   - resendCount: The number of attempts of the call before this one.
  func describe(attempt request: Request, resendCount: Int) {
    let method = Conventions.name(of: request.method)
    // Room for those that are added at the end, too.
    var values = [String: SpanAttribute](minimumCapacity: 12)
    values["http.request.method"] = .string(method)
    values["url.full"] = .string(Conventions.url(of: request))
    if method != request.method.rawValue {
      values["http.request.method_original"] = .string(request.method.rawValue)
    }
    if let template = request.urlTemplate { values["url.template"] = .string(template) }
    if resendCount > 0 { values["http.request.resend_count"] = .int64(Int64(resendCount)) }
    switch try? request.origin.endpoint {
    case .host(let host, let port)?:
      values["server.address"] = .string(host)
      values["server.port"] = .int64(Int64(port))
    case .unixSocket(let path)?: values["server.address"] = .string(path)
    case nil: break
    }
    attributes = SpanAttributes(values)
  }

  /// Describes the end of an attempt.
  ///
  /// - Parameters:
  ///   - status: The status of the response, if there was one.
  ///   - error: The error, if the attempt has failed.
  ///   - connection: The connection, if it is known.
  func describe(end status: Int?, _ error: MartletError?, over connection: ConnectionInfo?) {
    updateAttributes { attributes in
      if let status { attributes["http.response.status_code"] = status }
      guard let connection else { return }
      attributes["network.protocol.version"] = Conventions.version(
        isMultiplexed: connection.isMultiplexed)
      attributes["network.peer.address"] = connection.peer?.host ?? connection.remoteAddress
      attributes["network.peer.port"] = connection.peer?.port
    }
    if let error {
      fail(error)
    } else if let type = Conventions.errorType(of: status) {
      attributes["error.type"] = type
      setStatus(SpanStatus(code: .error))
    }
  }

  /// Notes the error that ends the span.
  func fail(_ error: MartletError) {
    guard isRecording else { return }
    attributes["error.type"] = "\(error.code)"
    recordError(error)
    setStatus(SpanStatus(code: .error, message: error.message))
  }
}

extension SpanEvent {
  /// An event of the call by its name, with all that it says as an attribute.
  init(_ kind: CallEvent.Kind) {
    let text = kind.description
    self.init(
      name: String(text.prefix { $0 != "(" }), attributes: ["martlet.event": .string(text)])
  }
}
