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
func shared(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, path: "Shared/\(name)", swiftSettings: strict)
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

/// The rules of one of the services: values and pure functions, no I/O.
func domain(_ name: String, _ folder: String) -> Target {
    .target(
        name: name, dependencies: ["Primitives", "JSON", "EventSourcing", "Contracts"], path: "Services/\(folder)",
        exclude: ["README.md"], swiftSettings: strict)
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
        system("CKafka", "rdkafka", apt: "librdkafka-dev"),
        system("CCurl", "libcurl", apt: "libcurl4-openssl-dev"),
        system("CCrypto", "libcrypto", apt: "libssl-dev"),
        system("CArgon2", "libargon2", apt: "libargon2-dev"),

        // Values without I/O.
        shared("Primitives"),
        shared("JSON", ["Primitives"]),
        shared("EventSourcing", ["Primitives", "JSON"]),
        shared("Contracts", ["Primitives", "JSON", "EventSourcing"]),
        shared("Crypto", ["Primitives", "JSON", "CCrypto", "CArgon2"]),

        // The process: loop, logs, metrics, configuration.
        shared("Runtime", ["Primitives"]),

        // The rules of the services, without I/O.
        domain("SessionsDomain", "sessions"),
        domain("QuotaDomain", "quota"),

        // What tests share.
        .target(
            name: "EventSourcingTesting", dependencies: ["Primitives", "JSON", "EventSourcing"],
            path: "Shared/Testing/EventSourcingTesting", swiftSettings: strict),

        // Tests.
        tests("PrimitivesTests", ["Primitives"]),
        tests("JSONTests", ["JSON", "Primitives"]),
        tests("ContractsTests", ["Contracts", "JSON", "Primitives"]),
        tests(
            "SessionsDomainTests",
            ["SessionsDomain", "EventSourcingTesting", "Contracts", "EventSourcing", "JSON", "Primitives"]),
        tests(
            "QuotaDomainTests",
            ["QuotaDomain", "EventSourcingTesting", "Contracts", "EventSourcing", "JSON", "Primitives"]),
        tests("CryptoTests", ["Crypto", "Primitives", "JSON"]),
    ],
    swiftLanguageModes: [.v6]
)
