// swift-tools-version:6.2

import PackageDescription

let package = Package(
  name: "fuzz",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "martlet", path: ".."),
    .package(url: "https://github.com/apple/swift-http-types.git", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-nio.git", from: "2.101.0"),
    .package(url: "https://github.com/apple/swift-nio-http2.git", from: "1.46.0"),
  ],
  targets: [
    // The one function of libFuzzer that starts it.
    .target(name: "CLibFuzzer"),
    .executableTarget(
      name: "Fuzz",
      dependencies: [
        "CLibFuzzer",
        .product(name: "Martlet", package: "martlet"),
        .product(name: "MartletXML", package: "martlet"),
        .product(name: "MartletImages", package: "martlet"),
        .product(name: "MartletRedisCache", package: "martlet"),
        .product(name: "MartletTesting", package: "martlet"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOEmbedded", package: "swift-nio"),
        .product(name: "NIOHPACK", package: "swift-nio-http2"),
      ],
      // The default linker of Linux fails on what the fuzzer's instrumentation adds.
      linkerSettings: [.unsafeFlags(["-use-ld=lld"], .when(platforms: [.linux]))]),
  ]
)
