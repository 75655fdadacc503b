// swift-tools-version:6.2

import PackageDescription

/// Swift 6 language mode, which is the default of this tools version, and warnings as errors.
let settings: [SwiftSetting] = [.treatAllWarnings(as: .error)]

let martlet = Target.Dependency.product(name: "Martlet", package: "martlet")
let martletTesting = Target.Dependency.product(name: "MartletTesting", package: "martlet")

let package = Package(
  name: "martlet-examples",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "martlet", path: "..")
  ],
  targets: [
    .executableTarget(name: "BirdList", dependencies: [martlet], swiftSettings: settings),
    .executableTarget(name: "DownloadManager", dependencies: [martlet], swiftSettings: settings),
    .executableTarget(name: "FolderUpload", dependencies: [martlet], swiftSettings: settings),
    .executableTarget(name: "LinkChecker", dependencies: [martlet], swiftSettings: settings),
    .executableTarget(name: "HealthChecker", dependencies: [martlet], swiftSettings: settings),

    // The server on this machine that the programs are tried on.
    .executableTarget(
      name: "ExampleServer", dependencies: [martlet, martletTesting], swiftSettings: settings),
  ]
)
