import MartletEssentials

/// The header fields of a request: the tool's defaults, as changed by the items.
extension CommandLineRequest {
  /// The header fields: the defaults that no item replaces or removes, then those of the items in their order.
  func headers(contentType: String?) throws -> HTTPFields {
    let own = try ownHeaders()
    var removed: Set<String> = []
    for case .removedHeader(let name) in items {
      removed.insert(try HTTPField.Name(validating: name).canonicalName)
    }
    let isForm = contentType?.hasPrefix("multipart/") ?? false
    guard !isForm || !own.contains(.contentType) else { throw ToolFailure.contentTypeOfParts }
    var headers = defaults(contentType: contentType)
    headers.removeAll { own.contains($0.name) || removed.contains($0.name.canonicalName) }
    headers.append(contentsOf: own)
    return headers
  }

  /// The headers that items give, except `Expect`.
  ///
  /// - Throws: `MartletError` for a header that is not valid.
  func ownHeaders() throws(MartletError) -> HTTPFields {
    var own = HTTPFields()
    for item in items where item.headerName?.lowercased() != "expect" {
      switch item {
      case .header(let name, let content): try own.append(name: name, value: content.text)
      case .emptyHeader(let name): try own.append(name: name, value: "")
      default: break
      }
    }
    return own
  }

  /// Whether an item removes the header of that name.
  func removes(_ header: HTTPField.Name) -> Bool {
    items.contains {
      if case .removedHeader(let name) = $0 {
        name.lowercased() == header.canonicalName
      } else {
        false
      }
    }
  }

  /// Whether an item asks for the interim response 100 before the body is sent (RFC 9110 §10.1.1).
  var expectsContinue: Bool {
    items.contains {
      if case .header(let name, _) = $0 { name.lowercased() == "expect" } else { false }
    }
  }

  /// Checks that the request can be sent with the headers of the items.
  ///
  /// - Throws: `ToolFailure` for headers that the user cannot set, remove or repeat.
  func checkHeaders() throws(ToolFailure) {
    // RFC 9112 §3.2
    guard items.count(where: { $0.headerName?.lowercased() == "host" }) < 2 else {
      throw .severalHosts
    }
    for item in items {
      guard let name = item.headerName else { continue }
      switch (name.lowercased(), item) {
      case ("content-length", _), ("transfer-encoding", _): throw .framing(name)
      case ("host", .removedHeader): throw .noHost
      case ("expect", .header(_, .text(let value))) where value.lowercased() == "100-continue":
        break
      case ("expect", .removedHeader): break
      case ("expect", _): throw .otherExpectation
      default: break
      }
    }
  }

  private func defaults(contentType: String?) -> HTTPFields {
    let isJSON = encoding == .json || contentType == FieldBody.json
    var headers: HTTPFields = [
      .userAgent: "martlet/\(martletVersion)",
      .accept: isJSON ? "application/json, */*;q=0.5" : "*/*",
    ]
    headers[.contentType] = contentType
    return headers
  }
}

extension ToolFailure {
  fileprivate static func framing(_ name: String) -> ToolFailure {
    .usage(
      "The header “\(name.masked)” frames the body, and martlet sets it by itself: leave it out.")
  }

  fileprivate static let noHost = ToolFailure.usage(
    "Every request needs the header “Host”: give it another value, or leave “Host:” out.")

  fileprivate static let severalHosts = ToolFailure.usage(
    "A request has one header “Host”: give one, and leave the others out.")

  fileprivate static let otherExpectation = ToolFailure.usage(
    "The only expectation that can be sent is “Expect:100-continue”: write that, or leave the header out."
  )
}
