/// RFC 6265bis §5.1.4, §5.6.4 — which paths a cookie is for; §5.8.3 — in which order cookies go.
extension CookieCase {
  static let paths: [CookieCase] = [
    // The path of a cookie that names none.
    CookieCase(local, "a=1", to: local + "/x", sends: "a=1"),
    CookieCase(local + "/", "a=1", to: local + "/x/y", sends: "a=1"),
    CookieCase(local + "/x", "a=1", to: local + "/", sends: "a=1"),
    CookieCase(local + "/x/", "a=1", to: local + "/x", sends: "a=1"),
    CookieCase(local + "/x/", "a=1", to: local + "/", sends: nil, keeps: 1),
    CookieCase(local + "/x/y", "a=1", to: local + "/x", sends: "a=1"),
    CookieCase(local + "/x/y", "a=1", to: local + "/x/z/u", sends: "a=1"),
    CookieCase(local + "/x/y", "a=1", to: local + "/xy", sends: nil, keeps: 1),
    CookieCase(local + "/x/y/", "a=1", to: local + "/x/y", sends: "a=1"),
    CookieCase(local + "/x/y/", "a=1", to: local + "/x/", sends: nil, keeps: 1),
    CookieCase(local + "/x/y?/z/u", "a=1", to: local + "/x?/y/", sends: "a=1"),
    CookieCase(local + "/x//y", "a=1", to: local + "/x/", sends: "a=1"),
    CookieCase(local + "/x//y", "a=1", to: local + "/x", sends: nil, keeps: 1),
    // The path that it names.
    CookieCase(local + "/x/y", "a=1; path=/", to: local + "/", sends: "a=1"),
    CookieCase(local + "/", "a=1; path=/x", to: local + "/", sends: nil, keeps: 1),
    CookieCase(local + "/", "a=1; path=/x", to: local + "/x", sends: "a=1"),
    CookieCase(local + "/", "a=1; path=/x", to: local + "/x/", sends: "a=1"),
    CookieCase(local + "/", "a=1; path=/x", to: local + "/x/y", sends: "a=1"),
    CookieCase(local + "/", "a=1; path=/x", to: local + "/x?y", sends: "a=1"),
    CookieCase(local + "/", "a=1; path=/x", to: local + "/xy", sends: nil, keeps: 1),
    CookieCase(local + "/", "a=1; path=/x", to: local + "/X", sends: nil, keeps: 1),
    CookieCase(local + "/", "a=1; path=/x/", to: local + "/x", sends: nil, keeps: 1),
    CookieCase(local + "/", "a=1; path=/x/", to: local + "/x/y", sends: "a=1"),
    CookieCase(local + "/", "a=1; path=/%78", to: local + "/x", sends: nil, keeps: 1),
    CookieCase(local + "/", "a=1; path=/x%20y", to: local + "/x%20y", sends: "a=1"),
    CookieCase(local + "/", "a=1; path=/x y", to: local + "/x%20y", sends: nil, keeps: 1),
    CookieCase(local + "/", "a=1; path=/x?y", to: local + "/x?y", sends: nil, keeps: 1),
    CookieCase(local + "/", "a=1; path=//", to: local + "/x", sends: nil, keeps: 1),
    CookieCase(local + "/x/y", "a=1; path=", to: local + "/x", sends: "a=1"),
    CookieCase(local + "/x/y", "a=1; path", to: local + "/", sends: nil, keeps: 1),
    CookieCase(local + "/x/y", "a=1; path=z", to: local + "/x", sends: "a=1"),
    CookieCase(local + "/x/y", "a=1; path=\"/\"", to: local + "/x", sends: "a=1"),
    CookieCase(local + "/x/y", "a=1; path=/z; path=/", to: local + "/", sends: "a=1"),
    CookieCase(local + "/x/y", "a=1; path=/; path=", to: local + "/", sends: nil, keeps: 1),
    CookieCase(
      local + "/", "a=1; path=/x/../y", to: local + "/x/../y", sends: "a=1"),
  ]

  static let order: [CookieCase] = [
    CookieCase(local + "/", "a=1", "b=2", "c=3", sends: "a=1; b=2; c=3"),
    CookieCase(
      local + "/", "a=1; path=/", "b=2; path=/x/y", "c=3; path=/x", to: local + "/x/y",
      sends: "b=2; c=3; a=1"),
    CookieCase(
      local + "/", "a=1; path=/x", "a=2; path=/", to: local + "/x", sends: "a=1; a=2"),
    CookieCase(
      local + "/", "a=2; path=/", "a=1; path=/x", to: local + "/x", sends: "a=1; a=2"),
    CookieCase(
      local + "/", "a=1; path=/x", "b=2; path=/x/", to: local + "/x/", sends: "b=2; a=1"),
    // What replaces another has its age.
    CookieCase(local + "/", "a=1", "b=2", "a=3", sends: "a=3; b=2"),
    CookieCase(local + "/", "a=1", "b=2", "a=; max-age=0", "a=3", sends: "b=2; a=3"),
    CookieCase(local + "/", "a=1; max-age=10", "b=2", "a=3", sends: "a=3; b=2", after: 20),
    CookieCase(local + "/", "a=1", "b=2", "a=3; path=/; secure; httponly", sends: "a=3; b=2"),
    CookieCase(
      "http://b.a.example/", "a=1; domain=a.example", "b=2", sends: "a=1; b=2"),
    CookieCase(
      "http://b.a.example/", "b=2", "a=1; domain=a.example", sends: "b=2; a=1"),
    CookieCase(
      "http://b.a.example/x/", "b=2; path=/", "a=1; domain=a.example; path=/x/",
      sends: "a=1; b=2"),
    CookieCase(local + "/", "z", "a=1", sends: "z; a=1"),
  ]
}
