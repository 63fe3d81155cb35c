// swift-tools-version: 6.0
import PackageDescription

let package = Package(
    name: "ios-client",
    platforms: [.iOS(.v16), .macOS(.v13)],
    products: [.library(name: "MirrorMateClient", targets: ["MirrorMateClient"])],
    targets: [
        .target(name: "MirrorMateClient"),
        .executableTarget(name: "coach-sample", dependencies: ["MirrorMateClient"]),
        .testTarget(name: "MirrorMateClientTests", dependencies: ["MirrorMateClient"]),
    ],
    swiftLanguageModes: [.v6])
