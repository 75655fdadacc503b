// swift-tools-version:6.1

import PackageDescription

let package = Package(
  name: "martlet-micro",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "martlet", path: "../.."),
    // Without its traits, which count allocations by packages of their own.
    .package(url: "https://github.com/ordo-one/benchmark.git", from: "1.38.0", traits: []),
    .package(url: "https://github.com/apple/swift-nio.git", from: "2.101.0"),
  ],
  targets: [
    // Request and response serializers, without a network.
    .executableTarget(
      name: "Serializers",
      dependencies: [
        .product(name: "Benchmark", package: "benchmark"),
        .product(name: "Martlet", package: "martlet"),
        .product(name: "MartletTesting", package: "martlet"),
        .product(name: "NIOCore", package: "swift-nio"),
      ],
      path: "Benchmarks/Serializers",
      plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")])
  ]
)
