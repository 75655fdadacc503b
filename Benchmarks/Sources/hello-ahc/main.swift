import AsyncHTTPClient
import NIOCore

let request = HTTPClientRequest(url: CommandLine.arguments[1])
let response = try await HTTPClient.shared.execute(request, timeout: .seconds(60))
print(String(buffer: try await response.body.collect(upTo: 1 << 20)))
