import HTTPTypes
import MartletCore

/// The attributes of a request's metrics.
struct RequestLabels: Hashable {
  let method: String
  let server: ServerLabels.Label
  let template: String?

  var dimensions: ServerLabels.Dimensions {
    [("http.request.method", method)] + server.dimensions
      + (template.map { [("url.template", $0)] } ?? [])
  }
}
