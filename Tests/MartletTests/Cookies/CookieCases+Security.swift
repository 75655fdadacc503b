/// RFC 6265bis §5.4, §5.6.5 to §5.6.7, §5.7 — cookies that are secure, and names with a promise.
extension CookieCase {
  private static let secure = "https://a.example/"
  private static let plain = "http://a.example/"

  static let security: [CookieCase] = [
    CookieCase(secure, "a=1; secure", sends: "a=1"),
    CookieCase(secure, "a=1; SECURE=no", sends: "a=1"),
    CookieCase(secure, "a=1; secure", to: plain, sends: nil, keeps: 1),
    CookieCase(secure, "a=1", to: plain, sends: "a=1"),
    CookieCase(plain, "a=1; secure", to: secure, sends: nil),
    CookieCase(plain, "a=1", to: secure, sends: "a=1"),
    // Connections within this machine count as secure.
    CookieCase("http://localhost:8080/", "a=1; secure", sends: "a=1"),
    CookieCase("http://a.localhost/", "a=1; secure", sends: "a=1"),
    CookieCase(local + "/", "a=1; secure", sends: "a=1"),
    CookieCase("http://127.9.8.7/", "a=1; secure", sends: "a=1"),
    CookieCase("http://[::1]/", "a=1; secure", sends: "a=1"),
    CookieCase("http+unix://%2Frun%2Fx.sock/", "a=1; secure", sends: "a=1"),
    CookieCase("http://127.evil.example/", "a=1; secure", sends: nil),
    CookieCase("http://127.0.0.1.evil.example/", "a=1; secure", sends: nil),
    CookieCase("http://localhost.evil.example/", "a=1; secure", sends: nil),
    CookieCase("http://evillocalhost/", "a=1; secure", sends: nil),
    CookieCase("http://10.0.0.1/", "a=1; secure", sends: nil),
    // For pages only.
    CookieCase(local + "/", "a=1; HttpOnly", sends: "a=1"),
    CookieCase(local + "/", "a=1; httponly=x", sends: "a=1"),
    CookieCase(local + "/", "a=1; SameSite=Strict", sends: "a=1"),
    CookieCase(local + "/", "a=1; samesite=LAX", sends: "a=1"),
    CookieCase(local + "/", "a=1; SameSite=Unheard", sends: "a=1"),
    CookieCase(local + "/", "a=1; SameSite", sends: "a=1"),
    CookieCase(local + "/", "a=1; SameSite=None; Secure", sends: "a=1"),
    CookieCase(local + "/", "a=1; SameSite=None", sends: nil),
    CookieCase(local + "/", "a=1; SameSite=None; SameSite=Lax", sends: "a=1"),
    CookieCase(local + "/", "a=1; SameSite=Lax; SameSite=NONE", sends: nil),
    CookieCase(secure, "a=1; SameSite=Strict", to: "https://b.example/", sends: nil, keeps: 1),
    // Names with a promise.
    CookieCase(local + "/", "__Secure-a=1; secure", sends: "__Secure-a=1"),
    CookieCase(local + "/", "__Secure-a=1", sends: nil),
    CookieCase(local + "/", "__SECURE-a=1", sends: nil),
    CookieCase(local + "/", "__secure-a=1; secure", sends: "__secure-a=1"),
    CookieCase(plain, "__Secure-a=1; secure", sends: nil),
    CookieCase(
      secure, "__Secure-a=1; secure; domain=a.example", to: "https://b.a.example/",
      sends: "__Secure-a=1"),
    CookieCase(local + "/", "__Secure=1", sends: "__Secure=1"),
    CookieCase(local + "/", "x__Secure-a=1", sends: "x__Secure-a=1"),
    CookieCase(local + "/", "__Host-a=1; secure; path=/", sends: "__Host-a=1"),
    CookieCase(local + "/", "__host-a=1; secure; path=/", sends: "__host-a=1"),
    CookieCase(local + "/", "__Host-a=1; path=/", sends: nil),
    CookieCase(local + "/", "__Host-a=1; secure", sends: nil),
    CookieCase(local + "/x/y", "__Host-a=1; secure; path=/x", to: local + "/x", sends: nil),
    CookieCase(local + "/", "__Host-a=1; secure; path=/x; path=/", sends: "__Host-a=1"),
    CookieCase(secure, "__Host-a=1; secure; path=/; domain=a.example", sends: nil),
    CookieCase(secure, "__HOST-a=1; secure; path=/; domain=a.example", sends: nil),
    CookieCase(secure, "__Host-a=1; secure; path=/; domain=", sends: "__Host-a=1"),
    CookieCase(plain, "__Host-a=1; secure; path=/", sends: nil),
    CookieCase(local + "/", "__Host-a=1; path=/; secure; samesite=strict", sends: "__Host-a=1"),
    // A server would take the value for a name.
    CookieCase(local + "/", "=__Secure-a=1; secure", sends: nil),
    CookieCase(local + "/", "=__host-a=1; secure; path=/", sends: nil),
    CookieCase(local + "/", "__Secure-a; secure", sends: nil),
    CookieCase(local + "/", "__HOST-a", sends: nil),
    CookieCase(local + "/", "a=__Host-b", sends: "a=__Host-b"),
  ]
}
