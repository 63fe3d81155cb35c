// swift-tools-version: 6.2
import PackageDescription

/// Every target is compiled under the same strict rules; a warning is an error.
let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableUpcomingFeature("InferIsolatedConformances"),
    .treatAllWarnings(as: .error),
]

/// A library under `Shared/`, named after its folder.
func shared(_ name: String, _ dependencies: [Target.Dependency] = [], resources: [Resource] = []) -> Target {
    .target(
        name: name, dependencies: dependencies, path: "Shared/\(name)", resources: resources, swiftSettings: strict)
}

/// A C library of the system; the folder holds a module map and a shim header, nothing else.
func system(_ name: String, _ pkgConfig: String, apt: String) -> Target {
    .systemLibrary(name: name, path: "Shared/C/\(name)", pkgConfig: pkgConfig, providers: [.apt([apt])])
}

/// One of the services: an executable over `ServiceKit`.
func service(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .executableTarget(
        name: name,
        dependencies: [
            "Primitives", "JSON", "Runtime", "Observability", "Configuration", "EventSourcing", "Contracts", "HTTPServer",
            "Postgres", "EventStore", "EventConsumer", "Projections", "ServiceKit",
        ] + dependencies,
        path: "Services/\(name)", exclude: ["README.md"], resources: [.embedInCode("Schema")], swiftSettings: strict)
}

/// Tests in a folder of `Tests/`.
func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .testTarget(name: name, dependencies: dependencies, path: "Tests/\(name)", swiftSettings: strict)
}

let package = Package(
    name: "MirrorMate",
    targets: [
        // C libraries.
        system("CPostgres", "libpq", apt: "libpq-dev"),
        system("CCrypto", "libcrypto", apt: "libssl-dev"),
        system("CArgon2", "libargon2", apt: "libargon2-dev"),

        .systemLibrary(name: "CEpoll", path: "Shared/C/CEpoll"),

        // Values without I/O.
        shared("Primitives"),
        shared("JSON", ["Primitives"]),
        shared("EventSourcing", ["Primitives", "JSON"]),
        shared("Contracts", ["Primitives", "JSON", "EventSourcing"]),
        shared("Crypto", ["Primitives", "JSON", "CCrypto", "CArgon2"]),

        // The process: loop, logs, metrics, configuration.
        shared("Runtime", ["Primitives", "CEpoll"]),

        // Child processes and the command line.
        .target(name: "CSystem", path: "Shared/C/CSystem"),
        shared("Processes", ["Primitives", "Runtime", "CSystem"]),
        .executableTarget(
            name: "mirrormate", dependencies: ["Primitives", "JSON", "Runtime", "Processes"],
            path: "Services/mirrormate", swiftSettings: strict),

        // PostgreSQL and the event store.
        shared("Postgres", ["Primitives", "Runtime", "CPostgres"]),
        shared(
            "EventStore", ["Primitives", "JSON", "EventSourcing", "Runtime", "Postgres"],
            resources: [.embedInCode("Schema")]),

        // What tests share.
        .target(
            name: "PostgresTesting", dependencies: ["Postgres", "Primitives", "Runtime"],
            path: "Shared/Testing/PostgresTesting", swiftSettings: strict),

        // Tests.
        tests("PrimitivesTests", ["Primitives"]),
        tests("JSONTests", ["JSON", "Primitives"]),
        tests("ProcessesTests", ["Processes", "Runtime", "Primitives"]),
        tests("MirrormateTests", ["mirrormate", "JSON", "Primitives"]),
        tests(
            "EventStoreTests",
            ["EventStore", "EventSourcing", "Postgres", "PostgresTesting", "Primitives", "JSON", "Runtime"]),
        tests("CryptoTests", ["Crypto", "Primitives", "JSON"]),
    ],
    swiftLanguageModes: [.v6]
)
