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

let martlet = Target.Dependency.product(name: "Martlet", package: "martlet")
let nioCore = Target.Dependency.product(name: "NIOCore", package: "swift-nio")
let nioFoundation = Target.Dependency.product(name: "NIOFoundationCompat", package: "swift-nio")

let package = Package(
  name: "martlet-benchmarks",
  platforms: [.macOS(.v15)],
  products: [
    .library(name: "AllocationCounter", type: .dynamic, targets: ["AllocationCounter"])
  ],
  dependencies: [
    .package(name: "martlet", path: ".."),
    .package(url: "https://github.com/swift-server/async-http-client.git", from: "1.37.0"),
    .package(url: "https://github.com/apple/swift-nio.git", from: "2.101.0"),
    .package(url: "https://github.com/apple/swift-nio-ssl.git", from: "2.37.0"),
    .package(url: "https://github.com/apple/swift-http-types.git", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-metrics.git", from: "2.13.0"),
    .package(url: "https://github.com/apple/swift-distributed-tracing.git", from: "1.7.0"),
  ],
  targets: [
    // Time, CPU time and memory of a process, measured by the same code in all peers.
    .target(name: "CUsage"),

    // Arguments and scenarios that the peers written in Swift share.
    .target(name: "Harness", dependencies: ["CUsage"], swiftSettings: settings),

    // Martlet, as applications use it and the engine alone.
    .executableTarget(
      name: "bench-martlet",
      dependencies: [
        "Harness", martlet, nioCore,
        .product(name: "MartletObservability", package: "martlet"),
        .product(name: "CoreMetrics", package: "swift-metrics"),
        .product(name: "Tracing", package: "swift-distributed-tracing"),
      ],
      swiftSettings: settings),
    .executableTarget(
      name: "bench-engine", dependencies: ["Harness", martlet, nioCore], swiftSettings: settings),

    // Requests of all kinds at a steady rate, for hours.
    .executableTarget(
      name: "soak",
      dependencies: [
        martlet, nioCore, .product(name: "MartletDiskCache", package: "martlet"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
      ],
      swiftSettings: settings),

    // The cache on disk, without a network.
    .executableTarget(
      name: "bench-cache",
      dependencies: [
        "CUsage", martlet, .product(name: "MartletDiskCache", package: "martlet"), nioCore,
      ],
      swiftSettings: settings),

    // The others.
    .executableTarget(
      name: "bench-ahc",
      dependencies: [
        "Harness", nioCore,
        .product(name: "AsyncHTTPClient", package: "async-http-client"),
        nioFoundation,
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "NIOSSL", package: "swift-nio-ssl"),
      ],
      swiftSettings: settings),
    .executableTarget(
      name: "bench-urlsession", dependencies: ["Harness"], swiftSettings: settings),
    .executableTarget(
      name: "bench-curl", dependencies: ["CUsage"], linkerSettings: [.linkedLibrary("curl")]),

    // The smallest program that sends a request, with either library.
    .executableTarget(
      name: "hello-martlet",
      dependencies: [.product(name: "MartletEssentials", package: "martlet")],
      swiftSettings: settings),
    .executableTarget(
      name: "hello-ahc",
      dependencies: [
        .product(name: "AsyncHTTPClient", package: "async-http-client"), nioCore,
      ],
      swiftSettings: settings),

    // What nginx has no way to do: read uploads to their end, and answer many requests at once.
    .executableTarget(name: "bench-server"),

    // Counts the allocations of a process that it is loaded into.
    .target(name: "AllocationCounter"),
  ]
)
