// swift-tools-version:6.2

import PackageDescription

/// The settings of the main package, so that what is measured is built as it is shipped.
let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .treatAllWarnings(as: .error),
]

let package = Package(
  name: "martlet-benchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "martlet", path: ".."),
    .package(url: "https://github.com/swift-server/async-http-client.git", from: "1.37.0"),
    .package(url: "https://github.com/apple/swift-nio.git", from: "2.101.0"),
  ],
  targets: [
    // Time, CPU time and memory of a process, measured by the same code in all peers.
    .target(name: "CUsage"),

    // Arguments and the loop that the peers written in Swift share.
    .target(name: "Harness", dependencies: ["CUsage"], swiftSettings: settings),

    .executableTarget(
      name: "bench-martlet",
      dependencies: ["Harness", .product(name: "Martlet", package: "martlet")],
      swiftSettings: settings),
    .executableTarget(
      name: "bench-ahc",
      dependencies: [
        "Harness",
        .product(name: "AsyncHTTPClient", package: "async-http-client"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
      ],
      swiftSettings: settings),
    .executableTarget(
      name: "bench-urlsession", dependencies: ["Harness"], swiftSettings: settings),

    // libcurl as a C program uses it.
    .executableTarget(
      name: "bench-curl", dependencies: ["CUsage"], linkerSettings: [.linkedLibrary("curl")]),
  ]
)
