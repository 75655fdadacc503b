import Benchmark
import Martlet

/// Twenty names of every kind, five of them with more inside.
private let parameters: Parameters = [
  "q": "arctic terns & others", "page": 3, "per_page": 50, "strict": true, "after": nil,
  "min": 1.25, "max": 99.5, "sort": "name", "order": "descending", "locale": "de-DE",
  "fields": ["id", "name", "email", "tags"], "tags": ["sea", "bird", "Küstenseeschwalbe"],
  "filter": ["state": "active", "age": ["from": 18, "to": 65]] as Parameters,
  "owner": ["id": 4711, "name": "Ada Lovelace"] as Parameters, "flags": Set(["a", "b", "c"]),
  "token": "dGVybnM=/+", "city": "São Paulo", "verbose": false, "limit": 1000, "offset": 200,
]

private struct Search: Encodable, Sendable {
  struct Filter: Encodable, Sendable {
    var state = "active"
    var age = ["from": 18, "to": 65]
  }

  var q = "arctic terns & others"
  var page = 3
  var strict = true
  var min = 1.25
  var fields = ["id", "name", "email", "tags"]
  var filter = Filter()
}

func queries() {
  Benchmark("query, 20 names, nested", configuration: .init(scalingFactor: .kilo)) { benchmark in
    for _ in benchmark.scaledIterations { blackHole(try queryString(from: parameters)) }
  }

  Benchmark("query, a struct of 6", configuration: .init(scalingFactor: .kilo)) { benchmark in
    for _ in benchmark.scaledIterations {
      blackHole(try queryString(from: .encodable(Search())))
    }
  }
}
