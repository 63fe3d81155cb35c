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
func shared(
    _ name: String, _ dependencies: [Target.Dependency] = [], exclude: [String] = [], resources: [Resource] = []
) -> Target {
    .target(
        name: name, dependencies: dependencies, path: "Shared/\(name)", exclude: exclude, resources: resources,
        swiftSettings: strict)
}

/// A C library of the system; the folder holds a module map and a shim header, nothing else.
func system(_ name: String, _ pkgConfig: String, apt: String) -> Target {
    .systemLibrary(name: name, path: "Shared/C/\(name)", pkgConfig: pkgConfig, providers: [.apt([apt])])
}

/// One of the services: a library over `ServiceKit` whose folder holds everything from commands to routes, and the program
/// of the same name that starts it. Tests and the command line link the library.
func service(_ name: String, main: String, _ dependencies: [Target.Dependency] = []) -> [Target] {
    [
        .target(
            name: name,
            dependencies: [
                "Primitives", "JSON", "Runtime", "Observability", "Configuration", "EventSourcing", "Contracts",
                "Crypto", "HTTPServer", "Postgres", "EventStore", "EventConsumer", "Projections", "History",
                "ServiceKit",
            ] + dependencies,
            path: "Services/\(name)", exclude: ["README.md", "Contracts", main], resources: [.embedInCode("Schema")],
            swiftSettings: strict),
        .executableTarget(
            name: "\(name)-program", dependencies: [.target(name: name), "ServiceKit"], path: "Services/\(name)",
            exclude: ["README.md", "Contracts", "Schema"], sources: [main], swiftSettings: strict),
    ]
}

/// The program of a service, under the service's own name.
func program(_ name: String) -> Product { .executable(name: name, targets: ["\(name)-program"]) }

/// Tests in a folder of `Tests/`.
func tests(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
    .testTarget(
        name: name, dependencies: dependencies, path: "Tests/\(name)", exclude: exclude, swiftSettings: strict)
}

/// The helper that measures videos. Always optimised: face detection is a hundred times slower without.
let media = Target.executableTarget(
    name: "mirrormate-media",
    path: "Services/analysis-media",
    exclude: ["README.md"],
    cxxSettings: [
        .unsafeFlags([
            "-O2",
            // Behind the system's own folders: they hold headers with common names such as err.h.
            "-idirafter", "/usr/include/pocketsphinx",
            "-idirafter", "/usr/include/x86_64-linux-gnu/sphinxbase",
            "-idirafter", "/usr/include/aarch64-linux-gnu/sphinxbase",
        ])
    ],
    linkerSettings: ["m", "dl", "dlib", "blas", "lapack", "pocketsphinx", "sphinxbase"].map { .linkedLibrary($0) })

let services =
    service("identity", main: "IdentityMain.swift", ["Access", "Mail", "SigningKeys"])
    + service("sessions", main: "SessionsMain.swift", ["ObjectStorage", "Uploads"])
    + service("quota", main: "QuotaMain.swift")
    + service("analysis", main: "AnalysisMain.swift", ["ObjectStorage", "Processes", "Coaching", "Measuring"])
    + service("reporting", main: "ReportingMain.swift", ["ObjectStorage"])

let package = Package(
    name: "MirrorMate",
    products: [
        program("identity"), program("sessions"), program("quota"), program("analysis"), program("reporting"),
    ],
    targets: services + [
        // C libraries.
        system("CPostgres", "libpq", apt: "libpq-dev"),
        system("CKafka", "rdkafka", apt: "librdkafka-dev"),
        system("CCrypto", "libcrypto", apt: "libssl-dev"),
        system("CArgon2", "libargon2", apt: "libargon2-dev"),
        system("CCurl", "libcurl", apt: "libcurl4-openssl-dev"),
        .systemLibrary(name: "CEpoll", path: "Shared/C/CEpoll"),
        .systemLibrary(name: "CClock", path: "Shared/C/CClock"),

        // Values without I/O.
        shared("Primitives", ["CClock"]),
        shared("JSON", ["Primitives"]),
        shared("EventSourcing", ["Primitives", "JSON"]),
        shared("Contracts", ["Primitives", "JSON", "EventSourcing"]),
        shared("Crypto", ["Primitives", "JSON", "CCrypto", "CArgon2"]),

        // The process: loop, logs, metrics, configuration.
        shared("Runtime", ["Primitives", "CClock", "CEpoll"]),
        shared("Observability", ["Primitives", "JSON"]),
        shared("Configuration", ["Primitives"]),

        // HTTP.
        shared("HTTPServer", ["Primitives", "JSON", "Runtime", "Observability"]),
        shared("HTTPClient", ["Primitives", "Runtime", "CCurl"]),

        // Child processes and the command line.
        .target(name: "CSystem", path: "Shared/C/CSystem"),
        shared("Processes", ["Primitives", "Runtime", "CSystem"]),
        .executableTarget(
            name: "mirrormate",
            dependencies: [
                "Primitives", "JSON", "Contracts", "Runtime", "Processes", "HTTPClient", "Kafka", "CClock", "Postgres",
                "EventSourcing", "History", "Replay", "ContractChecking", "identity", "sessions", "quota", "analysis",
                "reporting",
            ],
            path: "Services/mirrormate", swiftSettings: strict),

        // PostgreSQL and the event store.
        shared("Postgres", ["Primitives", "Runtime", "CPostgres"]),
        shared(
            "EventStore", ["Primitives", "JSON", "EventSourcing", "Observability", "Runtime", "Postgres"],
            resources: [.embedInCode("Schema")]),

        // Between the services.
        shared(
            "EventRelay",
            [
                "Primitives", "JSON", "EventSourcing", "Contracts", "Runtime", "Observability", "Postgres",
                "EventStore",
                "Kafka",
            ], resources: [.embedInCode("Schema")]),
        shared(
            "EventConsumer",
            [
                "Primitives", "JSON", "EventSourcing", "Contracts", "Runtime", "Observability", "Postgres",
                "EventStore",
                "EventRelay", "Kafka",
            ], resources: [.embedInCode("Schema")]),

        // What tests share.
        .target(
            name: "PostgresTesting", dependencies: ["Postgres", "Primitives", "Runtime"],
            path: "Shared/Testing/PostgresTesting", swiftSettings: strict),

        // Engines around the process.
        shared("Kafka", ["Primitives", "Runtime", "CKafka"]),

        // What every service is made of.
        shared(
            "Projections",
            ["Primitives", "JSON", "EventSourcing", "Runtime", "Observability", "Postgres", "EventStore"],
            resources: [.embedInCode("Schema")]),
        shared("ObjectStorage", ["Primitives", "Runtime", "Configuration", "HTTPClient"]),

        // History for debugging: the services' folds and deciders without their types, and what looks at logs with them.
        shared("History", ["Primitives", "JSON", "EventSourcing", "Contracts", "Projections"]),
        shared(
            "Replay",
            [
                "Primitives", "JSON", "EventSourcing", "Contracts", "Runtime", "Postgres", "Kafka", "EventStore",
                "EventRelay", "Projections", "History",
            ]),
        shared(
            "ServiceKit",
            [
                "Primitives", "JSON", "EventSourcing", "Contracts", "Crypto", "Runtime", "Observability",
                "Configuration", "HTTPServer", "HTTPClient", "Postgres", "Kafka", "EventStore", "EventRelay",
                "EventConsumer", "Projections", "History", "ObjectStorage",
            ], exclude: ["Contracts"], resources: [.embedInCode("Schema")]),

        // What services promise each other, for tests and tools: no service links it.
        shared("ContractChecking", ["Primitives", "JSON", "Contracts", "Crypto"]),

        // The HTTP API as OpenAPI, for tests and documents: no service links it.
        shared("APIDescription", ["JSON", "Contracts", "HTTPServer"]),

        // Files that clients bring.
        shared(
            "Uploads",
            [
                "Primitives", "JSON", "Crypto", "Configuration", "Contracts", "Runtime", "HTTPServer", "EventStore",
                "ObjectStorage", "ServiceKit",
            ]),

        // From measures to a coaching report, without I/O.
        shared("Coaching", ["Primitives", "JSON", "Contracts", "Crypto"]),

        // The program that measures videos, as its parent sees it.
        shared("Measuring", ["JSON", "Contracts", "Runtime", "Processes"]),

        // Mail by SMTP or into files, from an outbox.
        shared(
            "Mail",
            ["Primitives", "JSON", "Runtime", "Observability", "Configuration", "Postgres", "EventStore", "CCurl"],
            resources: [.embedInCode("Schema")]),

        // What lets people in: passwords, login sessions, mailed codes, rate limits, addresses.
        shared(
            "Access",
            [
                "Primitives", "JSON", "Crypto", "Runtime", "Configuration", "EventSourcing", "HTTPServer", "Postgres",
                "EventStore", "Mail", "ServiceKit", "SigningKeys",
            ], resources: [.embedInCode("Schema")]),

        // The keys that sign access tokens: made, published, used, retired.
        shared(
            "SigningKeys",
            [
                "Primitives", "JSON", "Crypto", "Runtime", "Observability", "Configuration", "EventSourcing",
                "Contracts", "HTTPServer", "Postgres", "EventStore", "ServiceKit",
            ], resources: [.embedInCode("Schema")]),

        // What tests share.
        .target(
            name: "EventSourcingTesting", dependencies: ["Primitives", "JSON", "EventSourcing"],
            path: "Shared/Testing/EventSourcingTesting", swiftSettings: strict),

        // The measuring of videos: a child process of `analysis`, because it reads hostile files with native code.
        media,

        .target(
            name: "ServiceTesting",
            dependencies: [
                "Primitives", "JSON", "Contracts", "Crypto", "Runtime", "Configuration", "Observability", "HTTPServer",
                "HTTPClient", "Postgres", "PostgresTesting", "Kafka", "EventSourcing", "EventStore", "EventConsumer",
                "Projections", "ServiceKit", "ObjectStorage", "Processes",
            ],
            path: "Shared/Testing/ServiceTesting", swiftSettings: strict),

        // What `make bench` measures with; no product needs it.
        .target(name: "producer", path: "Benchmarks/producer", linkerSettings: [.linkedLibrary("rdkafka")]),
        .executableTarget(
            name: "bench",
            dependencies: [
                "Primitives", "JSON", "Runtime", "Observability", "Processes", "EventSourcing", "Contracts", "Postgres",
                "PostgresTesting", "EventStore", "EventRelay", "EventConsumer", "Kafka", "Projections", "History",
                "Replay", "producer",
            ],
            path: "Benchmarks/bench", swiftSettings: strict),

        // Tests.
        tests("PrimitivesTests", ["Primitives"]),
        tests("JSONTests", ["JSON", "Primitives"]),
        tests(
            "IdentityDomainTests",
            ["identity", "SigningKeys", "EventSourcingTesting", "Contracts", "EventSourcing", "JSON", "Primitives"]),
        tests(
            "AnalysisDomainTests",
            ["analysis", "Coaching", "EventSourcingTesting", "Contracts", "EventSourcing", "JSON", "Primitives"]),
        tests(
            "AnalysisServiceTests",
            [
                "analysis", "Measuring", "Configuration", "Contracts", "Crypto", "EventConsumer", "EventSourcing",
                "EventStore",
                "JSON", "Kafka", "ObjectStorage", "Observability", "Postgres", "PostgresTesting", "Primitives",
                "Processes", "Projections", "Runtime", "ServiceKit",
            ]),
        tests(
            "ReportingDomainTests",
            ["reporting", "EventSourcingTesting", "Contracts", "EventSourcing", "JSON", "Primitives"]),
        tests("ContractsTests", ["Contracts", "EventSourcing", "JSON", "Primitives"]),
        tests(
            "ContractPathTests",
            [
                "identity", "sessions", "quota", "analysis", "reporting", "APIDescription", "ContractChecking",
                "ServiceTesting", "HTTPServer", "ServiceKit", "SigningKeys", "Contracts", "Crypto", "EventSourcing",
                "EventStore",
                "EventRelay", "EventConsumer",
                "Kafka", "Measuring", "ObjectStorage", "Observability", "Runtime", "JSON", "Primitives",
            ], exclude: ["released.sha256"]),
        tests(
            "SessionsDomainTests",
            ["sessions", "EventSourcingTesting", "Contracts", "EventSourcing", "JSON", "Primitives"]),
        tests(
            "QuotaDomainTests",
            ["quota", "EventSourcingTesting", "Contracts", "EventSourcing", "JSON", "Primitives"]),
        tests(
            "SimulationTests",
            [
                "sessions", "quota", "analysis", "reporting", "Contracts", "EventSourcing",
                "JSON", "Primitives",
            ]),
        tests(
            "IdentityServiceTests",
            [
                "identity", "Access", "ServiceTesting", "ServiceKit", "Contracts", "EventSourcing", "EventStore",
                "HTTPClient", "JSON", "Postgres", "Primitives", "Runtime", "Crypto", "Configuration", "Observability",
                "SigningKeys", "ObjectStorage", "PostgresTesting",
            ]),
        tests(
            "QuotaServiceTests",
            [
                "quota", "ServiceTesting", "ServiceKit", "EventStore", "EventSourcing", "EventConsumer", "Postgres",
                "PostgresTesting", "Projections", "Observability", "Contracts", "Crypto", "Runtime", "JSON",
                "Primitives",
                "HTTPClient",
            ]),
        tests(
            "ClientTests",
            [
                "identity", "sessions", "quota", "Coaching", "reporting", "ServiceTesting", "ServiceKit", "Contracts",
                "Crypto", "JSON", "ObjectStorage", "Postgres", "PostgresTesting", "Primitives", "Runtime",
            ]),
        tests("ServiceKitTests", ["ServiceKit", "ContractChecking", "Crypto", "HTTPServer"]),
        tests(
            "ReportingServiceTests",
            [
                "reporting", "ServiceTesting", "ServiceKit", "EventStore", "EventSourcing", "EventConsumer",
                "ObjectStorage", "Postgres", "Crypto", "Contracts", "Runtime", "JSON", "Primitives",
            ]),
        tests(
            "SessionsServiceTests",
            [
                "sessions", "ServiceTesting", "ServiceKit", "Contracts", "EventSourcing", "EventStore", "HTTPClient",
                "JSON",
                "Postgres", "Primitives", "Runtime", "Crypto", "Uploads", "ObjectStorage",
            ]),
        .testTarget(
            name: "ReplayTests",
            dependencies: [
                "Replay", "History", "identity", "sessions", "quota", "analysis", "reporting", "Contracts",
                "EventSourcing",
                "EventStore", "EventRelay", "EventConsumer", "Kafka", "Observability", "Postgres", "PostgresTesting",
                "Processes", "Projections", "ServiceKit", "Primitives", "JSON", "Runtime",
            ],
            path: "Tests/ReplayTests", exclude: ["Histories", "Releases"], swiftSettings: strict),
        tests(
            "ObjectStorageTests", ["ObjectStorage", "ServiceTesting", "Configuration", "Primitives", "Runtime"]),
        .testTarget(
            name: "MailTests",
            dependencies: [
                "Mail", "Configuration", "EventSourcing", "EventStore", "Observability", "Postgres", "PostgresTesting",
                "Primitives", "Processes", "Runtime", "ServiceTesting",
            ],
            path: "Tests/MailTests", exclude: ["smtp-server.py"], swiftSettings: strict),
        tests(
            "RouteTests",
            [
                "identity", "sessions", "quota", "analysis", "reporting", "APIDescription", "ServiceTesting",
                "ServiceKit", "HTTPServer", "EventStore", "Configuration", "Contracts", "Crypto", "HTTPClient", "JSON",
                "Primitives", "Runtime",
            ]),
        tests("ProcessesTests", ["Processes", "Runtime", "Primitives"]),
        tests("MirrormateTests", ["mirrormate", "HTTPServer", "JSON", "Primitives"]),
        tests(
            "EventStoreTests",
            ["EventStore", "EventSourcing", "Postgres", "PostgresTesting", "Primitives", "JSON", "Runtime"]),
        tests(
            "PipelineTests",
            [
                "EventRelay", "EventConsumer", "EventStore", "Kafka", "Contracts", "EventSourcing", "Observability",
                "Postgres", "PostgresTesting", "Primitives", "JSON", "Runtime",
            ]),
        tests("KafkaTests", ["Kafka", "CKafka", "Runtime", "Primitives"]),
        tests("CryptoTests", ["Crypto", "Primitives", "JSON"]),
        tests("RuntimeTests", ["Runtime", "Primitives"]),
        tests("ObservabilityTests", ["Observability", "Primitives", "JSON"]),
        tests("ConfigurationTests", ["Configuration", "Primitives"]),
        tests(
            "HTTPServerTests", ["HTTPServer", "HTTPClient", "Runtime", "Observability", "Primitives", "JSON"]),
    ],
    swiftLanguageModes: [.v6],
    cxxLanguageStandard: .cxx17
)
