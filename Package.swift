// swift-tools-version:6.2

import PackageDescription

/// The settings of every target: Swift 6 language mode, imports that are internal unless declared public, async
/// functions that run on their caller's actor, and warnings as errors.
let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .treatAllWarnings(as: .error),
]

let nioCore = Target.Dependency.product(name: "NIOCore", package: "swift-nio")
let nioLocks = Target.Dependency.product(name: "NIOConcurrencyHelpers", package: "swift-nio")
let nioPosix = Target.Dependency.product(name: "NIOPosix", package: "swift-nio")
let nioHTTP1 = Target.Dependency.product(name: "NIOHTTP1", package: "swift-nio")
let nioTLS = Target.Dependency.product(name: "NIOTLS", package: "swift-nio")
let nioEmbedded = Target.Dependency.product(name: "NIOEmbedded", package: "swift-nio")
let nioHTTP2 = Target.Dependency.product(name: "NIOHTTP2", package: "swift-nio-http2")
let nioHPACK = Target.Dependency.product(name: "NIOHPACK", package: "swift-nio-http2")
let nioSSL = Target.Dependency.product(name: "NIOSSL", package: "swift-nio-ssl")
let httpTypes = Target.Dependency.product(name: "HTTPTypes", package: "swift-http-types")
let structuredFields = Target.Dependency.product(
  name: "RawStructuredFieldValues", package: "swift-http-structured-headers")
let system = Target.Dependency.product(name: "SystemPackage", package: "swift-system")
let x509 = Target.Dependency.product(name: "X509", package: "swift-certificates")
let asn1 = Target.Dependency.product(name: "SwiftASN1", package: "swift-asn1")
let crypto = Target.Dependency.product(name: "Crypto", package: "swift-crypto")
let cryptoExtras = Target.Dependency.product(name: "CryptoExtras", package: "swift-crypto")
let serviceLifecycle = Target.Dependency.product(
  name: "ServiceLifecycle", package: "swift-service-lifecycle")
let configuration = Target.Dependency.product(
  name: "Configuration", package: "swift-configuration")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let metrics = Target.Dependency.product(name: "CoreMetrics", package: "swift-metrics")
let tracing = Target.Dependency.product(name: "Tracing", package: "swift-distributed-tracing")
let argumentParser = Target.Dependency.product(
  name: "ArgumentParser", package: "swift-argument-parser")

let package = Package(
  name: "martlet",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "Martlet", targets: ["Martlet"]),
    .library(name: "MartletEssentials", targets: ["MartletEssentials"]),
    .library(name: "MartletXML", targets: ["MartletXML"]),
    .library(name: "MartletImages", targets: ["MartletImages"]),
    .library(name: "MartletFoundationNetworking", targets: ["MartletFoundationNetworking"]),
    .library(name: "MartletService", targets: ["MartletService"]),
    .library(name: "MartletObservability", targets: ["MartletObservability"]),
    .library(name: "MartletHAR", targets: ["MartletHAR"]),
    .library(name: "MartletConfiguration", targets: ["MartletConfiguration"]),
    .library(name: "MartletDiskCache", targets: ["MartletDiskCache"]),
    .library(name: "MartletRedisCache", targets: ["MartletRedisCache"]),
    .library(name: "MartletTesting", targets: ["MartletTesting"]),
    .executable(name: "martlet", targets: ["MartletTool"]),
  ],
  traits: [
    .trait(name: "Images", description: "Decode and encode images with gdk-pixbuf.")
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-nio.git", from: "2.101.0"),
    .package(url: "https://github.com/apple/swift-nio-ssl.git", from: "2.37.0"),
    .package(url: "https://github.com/apple/swift-nio-http2.git", from: "1.46.0"),
    .package(url: "https://github.com/apple/swift-http-types.git", from: "1.8.0"),
    .package(
      url: "https://github.com/apple/swift-http-structured-headers.git", from: "1.7.0"),
    .package(url: "https://github.com/apple/swift-certificates.git", from: "1.21.0"),
    .package(url: "https://github.com/apple/swift-asn1.git", from: "1.7.0"),
    .package(url: "https://github.com/apple/swift-crypto.git", from: "4.5.0"),
    .package(url: "https://github.com/apple/swift-argument-parser.git", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-system.git", from: "1.8.0"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle.git", from: "2.13.0"),
    .package(url: "https://github.com/apple/swift-configuration.git", from: "1.4.0", traits: []),
    .package(url: "https://github.com/apple/swift-log.git", from: "1.16.0"),
    .package(url: "https://github.com/apple/swift-metrics.git", from: "2.13.0"),
    .package(url: "https://github.com/apple/swift-distributed-tracing.git", from: "1.7.0"),
    .package(url: "https://github.com/swiftlang/swift-docc-plugin.git", from: "1.5.0"),
  ],
  targets: [
    // The part of Foundation that does not link ICU, with the C library, Dispatch, and a lock.
    .target(
      name: "EssentialFoundation", dependencies: [nioLocks], swiftSettings: settings),

    // The common types: requests, responses, bodies, errors, authentication challenges and answers, files.
    .target(
      name: "MartletCore",
      dependencies: [
        "EssentialFoundation", "CMartletFiles", httpTypes, nioCore, system, crypto, cryptoExtras,
      ],
      swiftSettings: settings),

    // The engine: connection pools, HTTP/1.1, HTTP/2, TLS, proxies; Trust verifies certificates, with their parser in Certificates.
    .target(
      name: "MartletTransport",
      dependencies: [
        "EssentialFoundation", "MartletCore", httpTypes, nioCore, nioPosix, nioTLS, nioSSL,
        nioHPACK, system, x509, asn1, crypto, cryptoExtras,
      ],
      swiftSettings: settings),

    // Managers, tasks, serializers, and the pipeline of interceptors, each with a folder of its own; FoundationEssentials only.
    .target(
      name: "MartletEssentials",
      dependencies: [
        "EssentialFoundation", "MartletCore", "MartletTransport", "CMartletZlib", httpTypes,
        nioCore, crypto, structuredFields, system,
      ],
      swiftSettings: settings),

    // The module for applications: MartletEssentials, and the parts that need all of Foundation.
    .target(
      name: "Martlet",
      dependencies: [
        "EssentialFoundation", "MartletCore", "MartletEssentials", httpTypes, nioCore,
      ],
      swiftSettings: settings),

    // zlib's inflate and deflate, whose initializers are C macros that Swift cannot import.
    .target(name: "CMartletZlib", linkerSettings: [.linkedLibrary("z")]),

    // System calls on files that Swift does not import.
    .target(name: "CMartletFiles"),

    // XML responses; a separate product because it links libxml2 on Linux.
    .target(name: "MartletXML", dependencies: ["MartletEssentials"], swiftSettings: settings),

    // Images: response serializer, cache, downloader and decoders.
    .target(
      name: "MartletImages",
      dependencies: [
        "EssentialFoundation", "MartletCore", "MartletEssentials", httpTypes, nioCore, nioLocks,
        .target(name: "CGdkPixbuf", condition: .when(traits: ["Images"])),
      ],
      swiftSettings: settings),

    // gdk-pixbuf, only with the trait Images.
    .systemLibrary(
      name: "CGdkPixbuf", pkgConfig: "gdk-pixbuf-2.0", providers: [.apt(["libgdk-pixbuf-2.0-dev"])]),

    // Bridges to URLRequest and HTTPURLResponse; a separate product because it links libcurl on Linux.
    .target(
      name: "MartletFoundationNetworking", dependencies: ["MartletCore", httpTypes, nioCore],
      swiftSettings: settings),

    // Managers as services of swift-service-lifecycle; a separate product because it needs that package.
    .target(
      name: "MartletService", dependencies: ["MartletEssentials", serviceLifecycle],
      swiftSettings: settings),

    // Metrics, spans and logs of a session; a separate product because it needs the packages of their APIs.
    .target(
      name: "MartletObservability",
      dependencies: [
        "EssentialFoundation", "MartletCore", "MartletEssentials", httpTypes, logging, metrics,
        tracing,
      ],
      swiftSettings: settings),

    // Records of requests and responses in the format HAR; a separate product because few programs need it.
    .target(
      name: "MartletHAR",
      dependencies: [
        "EssentialFoundation", "MartletCore", "MartletEssentials", httpTypes, nioCore, system,
      ],
      swiftSettings: settings),

    // Settings from swift-configuration; a separate product because it needs that package.
    .target(
      name: "MartletConfiguration", dependencies: ["MartletEssentials", configuration],
      swiftSettings: settings),

    // A cache on disk; a separate product because it links SQLite.
    .target(
      name: "MartletDiskCache",
      dependencies: [
        "EssentialFoundation", "MartletCore", "MartletEssentials", "CMartletSQLite",
        "CMartletZlib", nioCore, system,
      ],
      swiftSettings: settings),

    // The system's SQLite.
    .systemLibrary(
      name: "CMartletSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),

    // A cache that several machines share, in Redis or Valkey.
    .target(
      name: "MartletRedisCache",
      dependencies: [
        "EssentialFoundation", "MartletCore", "MartletTransport", "MartletEssentials", httpTypes,
        nioCore, nioPosix, nioSSL, crypto,
      ],
      swiftSettings: settings),

    // For tests: servers, an in-process transport, a certificate authority, and the rules for caches.
    .target(
      name: "MartletTesting",
      dependencies: [
        "EssentialFoundation", "MartletCore", "MartletEssentials", "CMartletZlib", httpTypes,
        nioCore, nioPosix,
        nioHTTP1, nioHTTP2, nioTLS, nioSSL, x509, asn1, crypto, cryptoExtras,
      ],
      swiftSettings: settings),

    // The command-line tool.
    .executableTarget(
      name: "MartletTool",
      dependencies: [
        "EssentialFoundation", "MartletEssentials", "MartletDiskCache", "MartletHAR",
        "MartletImages", "MartletTransport", "MartletTesting", argumentParser, httpTypes, nioCore,
        system,
      ],
      swiftSettings: settings),

    // The test trait that names the rules of the specification that a test covers.
    .target(
      name: "SpecificationCoverage", path: "Tests/SpecificationCoverage", swiftSettings: settings),

    // What tests need that do their work in a process of their own, or block a thread.
    .target(name: "ExitTesting", path: "Tests/ExitTesting", swiftSettings: settings),

    // How tests wait, and bear a machine that is slow.
    .target(name: "TestTiming", path: "Tests/TestTiming", swiftSettings: settings),

    // Limits the number of concurrent tests and their duration, and sets the strict mode of SwiftNIO, in the one program of all test targets.
    .target(name: "CTestLimits", path: "Tests/CTestLimits"),

    .testTarget(
      name: "MartletCoreTests",
      dependencies: [
        "EssentialFoundation", "MartletCore", "SpecificationCoverage", "CTestLimits", httpTypes,
        nioCore, system,
      ],
      swiftSettings: settings),
    .testTarget(
      name: "MartletTransportTests",
      dependencies: [
        "EssentialFoundation", "MartletCore", "MartletTransport", "MartletTesting",
        "ExitTesting", "SpecificationCoverage", "TestTiming", httpTypes, nioCore, nioPosix,
        nioEmbedded, nioHTTP2, nioHPACK, nioSSL, x509,
      ],
      swiftSettings: settings),
    .testTarget(
      name: "MartletTests",
      dependencies: [
        "EssentialFoundation", "ExitTesting", "Martlet", "MartletCore", "MartletEssentials",
        "MartletTesting", "SpecificationCoverage", "TestTiming", httpTypes, nioCore, nioPosix,
      ],
      swiftSettings: settings),
    .testTarget(
      name: "MartletXMLTests",
      dependencies: ["MartletXML", "Martlet", "SpecificationCoverage", httpTypes, nioCore],
      swiftSettings: settings),
    .testTarget(
      name: "MartletImagesTests",
      dependencies: [
        "EssentialFoundation", "MartletImages", "Martlet", "MartletTesting",
        "SpecificationCoverage", "TestTiming", httpTypes, nioCore,
      ],
      swiftSettings: settings),
    .testTarget(
      name: "MartletTestingTests",
      dependencies: [
        "MartletTesting", "MartletCore", "MartletTransport", "CMartletZlib", httpTypes, nioCore,
        nioPosix, nioSSL,
      ],
      swiftSettings: settings),
    .testTarget(
      name: "MartletFoundationNetworkingTests",
      dependencies: ["MartletFoundationNetworking", "MartletCore", httpTypes, nioCore],
      swiftSettings: settings),
    .testTarget(
      name: "MartletServiceTests",
      dependencies: [
        "Martlet", "MartletService", "MartletConfiguration", "MartletTesting", serviceLifecycle,
        .product(name: "ServiceLifecycleTestKit", package: "swift-service-lifecycle"),
        configuration, httpTypes,
      ],
      swiftSettings: settings),
    .testTarget(
      name: "MartletObservabilityTests",
      dependencies: [
        "EssentialFoundation", "Martlet", "MartletCore", "MartletEssentials",
        "MartletObservability", "MartletTesting", "TestTiming", httpTypes, logging, metrics,
        tracing,
        .product(name: "InMemoryLogging", package: "swift-log"),
        .product(name: "MetricsTestKit", package: "swift-metrics"),
        .product(name: "InMemoryTracing", package: "swift-distributed-tracing"),
      ],
      swiftSettings: settings),
    .testTarget(
      name: "MartletHARTests",
      dependencies: [
        "EssentialFoundation", "Martlet", "MartletCore", "MartletEssentials", "MartletHAR",
        "MartletTesting", httpTypes, nioCore,
      ],
      swiftSettings: settings),
    .testTarget(
      name: "MartletDiskCacheTests",
      dependencies: [
        "EssentialFoundation", "Martlet", "MartletCore", "MartletDiskCache", "MartletEssentials",
        "MartletTesting", "ExitTesting", "TestTiming", "CMartletSQLite", httpTypes, nioCore,
      ],
      swiftSettings: settings),
    .testTarget(
      name: "MartletRedisCacheTests",
      dependencies: [
        "EssentialFoundation", "Martlet", "MartletCore", "MartletRedisCache", "MartletEssentials",
        "MartletTesting", httpTypes, nioCore, nioPosix, nioEmbedded, nioSSL,
      ],
      swiftSettings: settings),
    .testTarget(
      name: "MartletToolTests",
      dependencies: [
        "EssentialFoundation", "ExitTesting", "MartletTool", "Martlet", "MartletDiskCache",
        "MartletEssentials", "MartletHAR", "MartletImages", "MartletTransport", "MartletTesting",
        "TestTiming", argumentParser, httpTypes, nioCore,
      ],
      swiftSettings: settings),

    // Runs the fuzz targets of the package in Fuzz on its corpus: seeds and inputs that once failed.
    .testTarget(
      name: "FuzzCaseTests",
      dependencies: [
        "Martlet", "MartletCore", "MartletTransport", "MartletImages", "MartletRedisCache",
        "MartletXML", httpTypes, nioCore, nioEmbedded, nioHPACK,
      ],
      path: "Fuzz",
      exclude: ["Corpus", "Package.swift", "record", "Sources/CLibFuzzer", "Sources/Fuzz/Fuzzer"],
      sources: ["Sources/Fuzz/Targets", "Sources/Fuzz/Structures", "Tests"]),

    // The public API as an application uses it, compiled without this package's feature flags.
    .testTarget(
      name: "SampleTests", dependencies: ["Martlet", "MartletTesting", crypto, httpTypes, nioCore]),
  ]
)
