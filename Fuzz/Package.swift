// swift-tools-version:6.2

import PackageDescription

let package = Package(
  name: "fuzz",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "martlet", path: ".."),
    .package(url: "https://github.com/apple/swift-http-types.git", from: "1.8.0"),
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
        .product(name: "HTTPTypes", package: "swift-http-types"),
      ],
      // The default linker of Linux fails on what the fuzzer's instrumentation adds.
      linkerSettings: [.unsafeFlags(["-use-ld=lld"], .when(platforms: [.linux]))]),
  ]
)
