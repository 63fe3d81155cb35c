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

/// A library under `Shared/`, named after its folder, on one of the floors that `ARCHITECTURE.md` lists.
func shared(
    _ floor: String, _ name: String, _ dependencies: [Target.Dependency] = [], exclude: [String] = [],
    resources: [Resource] = []
) -> Target {
    .target(
        name: name, dependencies: dependencies, path: "Shared/\(floor)/\(name)", exclude: exclude,
        resources: resources, swiftSettings: strict)
}

/// A C library of the system; the folder holds a module map and a shim header, nothing else.
func system(_ name: String, _ pkgConfig: String, apt: String) -> Target {
    .systemLibrary(name: name, path: "Shared/C/\(name)", pkgConfig: pkgConfig, providers: [.apt([apt])])
}

/// A room of one service: a library that nobody else links.
func room(
    _ name: String, in folder: String, _ dependencies: [Target.Dependency], exclude: [String] = [],
    resources: [Resource] = []
) -> Target {
    .target(
        name: name, dependencies: dependencies, path: "Services/\(folder)/\(name)", exclude: exclude,
        resources: resources, swiftSettings: strict)
}

/// One of the services: a library over `ServiceKit` whose folder holds everything from commands to routes, and the program
/// of the same name that starts it. Tests and the command line link the library.
///
/// - Parameters:
///   - rooms: the folders of the service that are targets of their own.
///   - data: folders of files that the program brings with it, besides its schema.
func service(
    _ name: String, rooms: [String] = [], data: [String] = [], _ dependencies: [Target.Dependency] = []
) -> [Target] {
    [
        .target(
            name: name,
            dependencies: [
                "Primitives", "JSON", "Runtime", "Observability", "Configuration", "EventSourcing", "Contracts",
                "Crypto", "HTTPServer", "Postgres", "EventStore", "EventConsumer", "Projections", "History",
                "ServiceKit",
            ] + dependencies,
            path: "Services/\(name)", exclude: ["README.md", "Contracts", "Program"] + rooms,
            resources: (["Schema"] + data).map { .embedInCode($0) }, swiftSettings: strict),
        .executableTarget(
            name: "\(name)-program", dependencies: [.target(name: name), "ServiceKit"],
            path: "Services/\(name)/Program", swiftSettings: strict),
    ]
}

/// The program of a service, under the service's own name.
func program(_ name: String) -> Product { .executable(name: name, targets: ["\(name)-program"]) }

/// Tests in a folder of `Tests/`, which has the same floors.
func tests(_ folder: String, _ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
    .testTarget(
        name: name, dependencies: dependencies + ["TestingSupport", "TestingTools"], path: "Tests/\(folder)/\(name)",
        exclude: exclude,
        swiftSettings: strict)
}

/// The helper that measures videos. Always optimised: face detection is a hundred times slower without.
let media = Target.executableTarget(
    name: "mirrormate-media",
    path: "Services/analysis/media",
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
    linkerSettings: ["m", "dl", "z", "dlib", "blas", "lapack", "pocketsphinx", "sphinxbase"].map { .linkedLibrary($0) })

/// What lets it measure in a container of its own.
let mediaClient = Target.executableTarget(
    name: "mirrormate-media-client", path: "Services/analysis/media-client")

let services =
    service(
        "identity", rooms: ["Access", "Federation", "Mail", "Photos", "SigningKeys"],
        ["ObjectStorage", "Access", "Federation", "Mail", "Photos", "SigningKeys", "CompatibleSurface"])
    + service(
        "sessions", rooms: ["Uploads"], data: ["Kinds"],
        ["ObjectStorage", "Uploads", "CompatibleSurface", "RestTables"])
    + service(
        "quota", data: ["Plans"], ["ObjectStorage", "CompatibleSurface", "RestTables", "HTTPClient", "Providers"])
    + service(
        "analysis", rooms: ["Measuring", "media", "media-client"],
        ["ObjectStorage", "Processes", "Measuring", "Providers"])
    + service(
        "reporting", rooms: ["Coaching", "Practice", "Progress"],
        ["ObjectStorage", "Coaching", "Practice", "Progress", "Providers", "CompatibleSurface", "RestTables"])
    + service("notifications", ["HTTPClient", "Providers"])

let package = Package(
    name: "MirrorMate",
    products: [
        program("identity"), program("sessions"), program("quota"), program("analysis"), program("reporting"),
        program("notifications"),
    ],
    targets: services + [
        // MARK: C libraries, the lowest floor

        system("CPostgres", "libpq", apt: "libpq-dev"),
        system("CKafka", "rdkafka", apt: "librdkafka-dev"),
        system("CCrypto", "libcrypto", apt: "libssl-dev"),
        system("CArgon2", "libargon2", apt: "libargon2-dev"),
        system("CCurl", "libcurl", apt: "libcurl4-openssl-dev"),
        .systemLibrary(name: "CEpoll", path: "Shared/C/CEpoll"),
        .systemLibrary(name: "CClock", path: "Shared/C/CClock"),
        .target(name: "CSystem", path: "Shared/C/CSystem"),

        // MARK: Values: no I/O but the clock and the log line

        shared("Values", "Primitives", ["CClock"]),
        shared("Values", "JSON", ["Primitives"]),
        shared("Values", "Crypto", ["Primitives", "JSON", "CCrypto", "CArgon2"]),
        shared("Values", "Configuration", ["Primitives"]),
        shared("Values", "Observability", ["Primitives", "JSON"]),

        // MARK: Engines: what the process stands on, one wrapper for each foreign thing

        shared("Engines", "Runtime", ["Primitives", "CClock", "CEpoll"]),
        shared("Engines", "Postgres", ["Primitives", "Runtime", "CPostgres"]),
        shared("Engines", "Kafka", ["Primitives", "Runtime", "Configuration", "CKafka"]),
        shared("Engines", "HTTPServer", ["Primitives", "JSON", "Runtime", "Observability"]),
        shared("Engines", "HTTPClient", ["Primitives", "Runtime", "CCurl"]),
        shared("Engines", "ObjectStorage", ["Primitives", "JSON", "Runtime", "Configuration", "HTTPClient"]),
        shared("Engines", "Processes", ["Primitives", "Runtime", "CSystem"]),

        // MARK: Events: the event core

        shared("Events", "EventSourcing", ["Primitives", "JSON"]),
        shared("Events", "Contracts", ["Primitives", "JSON", "EventSourcing"]),
        shared(
            "Events", "EventStore",
            [
                "Primitives", "JSON", "EventSourcing", "Observability", "Runtime", "Postgres",
            ], resources: [.embedInCode("Schema")]),
        shared(
            "Events", "EventRelay",
            [
                "Primitives", "JSON", "EventSourcing", "Contracts", "Runtime", "Observability", "Postgres",
                "EventStore", "Kafka",
            ], resources: [.embedInCode("Schema")]),
        shared(
            "Events", "EventConsumer",
            [
                "Primitives", "JSON", "EventSourcing", "Contracts", "Runtime", "Observability", "Postgres",
                "EventStore", "EventRelay", "Kafka",
            ], resources: [.embedInCode("Schema")]),
        shared(
            "Events", "Projections",
            [
                "Primitives", "JSON", "EventSourcing", "Runtime", "Observability", "Postgres", "EventStore",
            ], resources: [.embedInCode("Schema")]),
        shared(
            "Events", "History",
            [
                "Primitives", "JSON", "Observability", "Runtime", "EventSourcing", "Contracts", "EventStore",
                "Projections",
            ]),

        // MARK: Platform: what every service is made of

        shared(
            "Platform", "ServiceKit",
            [
                "Primitives", "JSON", "EventSourcing", "Contracts", "Crypto", "Runtime", "Observability",
                "Configuration", "HTTPServer", "HTTPClient", "Postgres", "Kafka", "EventStore", "EventRelay",
                "EventConsumer", "Projections", "History", "ObjectStorage",
            ], exclude: ["Contracts"], resources: [.embedInCode("Schema")]),
        shared(
            "Platform", "Providers",
            [
                "Primitives", "JSON", "EventSourcing", "Contracts", "Crypto", "Runtime", "Observability",
                "Configuration", "HTTPServer", "HTTPClient", "Postgres", "EventStore", "ServiceKit",
            ], resources: [.embedInCode("Schema")]),

        shared(
            "Platform", "CompatibleSurface",
            [
                "Primitives", "JSON", "Contracts", "Crypto", "Runtime", "Observability", "HTTPServer", "Postgres",
                "EventStore", "ServiceKit",
            ]),

        shared(
            "Platform", "RestTables",
            [
                "Primitives", "JSON", "Runtime", "HTTPServer", "Postgres", "EventStore", "Projections", "ServiceKit",
                "CompatibleSurface",
            ]),

        // MARK: Rooms of one service

        room(
            "Mail", in: "identity",
            [
                "Primitives", "JSON", "Runtime", "Observability", "Configuration", "Postgres", "EventStore",
                "ServiceKit",
                "CCurl",
            ], resources: [.embedInCode("Schema")]),
        room(
            "Photos", in: "identity",
            [
                "Primitives", "JSON", "Runtime", "Observability", "Configuration", "HTTPServer", "Postgres",
                "Processes",
                "EventStore", "ServiceKit",
            ], resources: [.embedInCode("Schema")]),
        room(
            "SigningKeys", in: "identity",
            [
                "Primitives", "JSON", "Crypto", "Runtime", "Observability", "Configuration", "EventSourcing",
                "Contracts", "HTTPServer", "Postgres", "EventStore", "ServiceKit",
            ], resources: [.embedInCode("Schema")]),
        room(
            "Access", in: "identity",
            [
                "Primitives", "JSON", "Crypto", "Runtime", "Observability", "Configuration", "EventSourcing",
                "Contracts", "HTTPServer", "HTTPClient", "Postgres", "EventStore", "Mail", "ServiceKit", "SigningKeys",
            ], resources: [.embedInCode("Schema")]),
        room(
            "Federation", in: "identity",
            [
                "Primitives", "JSON", "Crypto", "Runtime", "Observability", "Configuration", "HTTPServer", "HTTPClient",
                "Postgres", "EventStore", "ServiceKit", "Access",
            ], exclude: ["README.md"], resources: [.embedInCode("Schema")]),
        room(
            "Uploads", in: "sessions",
            [
                "Primitives", "JSON", "Crypto", "Configuration", "Contracts", "Runtime", "HTTPServer", "EventStore",
                "ObjectStorage", "Postgres", "ServiceKit",
            ]),
        room("Measuring", in: "analysis", ["Primitives", "JSON", "Contracts", "Crypto", "Runtime", "Processes"]),
        room("Coaching", in: "reporting", ["Primitives", "JSON", "Contracts"]),
        room("Practice", in: "reporting", ["JSON", "Primitives"]),
        room("Progress", in: "reporting", []),
        media,
        mediaClient,

        // MARK: The command line

        .executableTarget(
            name: "mirrormate",
            dependencies: [
                "Primitives", "JSON", "Contracts", "Crypto", "Runtime", "Processes", "HTTPClient", "Kafka", "CClock",
                "Postgres", "ObjectStorage", "Configuration", "EventSourcing", "EventConsumer", "History", "Replay",
                "ContractChecking", "LocalIssuer",
                "ServiceKit", "identity", "sessions", "quota",
                "analysis",
                "reporting", "notifications",
            ],
            path: "Services/mirrormate",
            exclude: [
                "README.md", "Debugging/Replay", "Contracts/ContractChecking", "Contracts/APIDescription",
                "Local/LocalIssuer",
            ],
            swiftSettings: strict),
        // Timelines, states, ledger, rebuilds and replays over the services' folds and deciders.
        room(
            "Replay", in: "mirrormate/Debugging",
            [
                "Primitives", "JSON", "EventSourcing", "Contracts", "Runtime", "Postgres", "Kafka", "EventStore",
                "EventRelay", "Projections", "History",
            ]),
        // Stands in the place of Google and Apple, on a developer's machine and in tests.
        room("LocalIssuer", in: "mirrormate/Local", ["Primitives", "JSON", "Crypto", "Runtime", "HTTPServer"]),
        // What services promise each other, and the HTTP API as OpenAPI: for tests and tools.
        room("ContractChecking", in: "mirrormate/Contracts", ["Primitives", "JSON", "Contracts", "Crypto"]),
        room(
            "APIDescription", in: "mirrormate/Contracts",
            [
                "JSON", "Contracts", "HTTPServer", "ServiceKit", "Access", "Federation", "Photos", "SigningKeys",
                "Uploads",
                "identity",
                "sessions",
                "quota", "reporting", "notifications", "Progress",
            ]),

        // MARK: What tests share

        shared("Testing", "EventSourcingTesting", ["TestingSupport", "Primitives", "JSON", "EventSourcing"]),
        shared("Testing", "TestingSupport"),
        // A test target, because other ones may not import Testing, and Foundation stays out of what `make build` links.
        .testTarget(
            name: "TestingTools", dependencies: ["TestingSupport"], path: "Shared/Testing/TestingTools",
            swiftSettings: strict),
        // Log and broker that lose, break and die as a seed says, for the event core as it is.
        shared(
            "Testing", "CoreSimulation",
            [
                "TestingSupport", "Primitives", "JSON", "Runtime", "Postgres", "Kafka", "EventSourcing", "Contracts",
                "EventStore", "EventRelay", "EventConsumer",
            ]),
        shared("Testing", "PostgresTesting", ["TestingSupport", "Postgres", "Primitives", "Runtime"]),
        shared(
            "Testing", "ServiceTesting",
            [
                "Primitives", "JSON", "Contracts", "Crypto", "Runtime", "Configuration", "Observability",
                "HTTPServer", "HTTPClient", "Postgres", "PostgresTesting", "Kafka", "EventSourcing", "EventStore",
                "EventConsumer", "Projections", "ServiceKit", "ObjectStorage", "Processes", "CompatibleSurface",
            ]),

        // A test target, as what it reads its answers with is one.
        .testTarget(
            name: "ProviderTesting",
            dependencies: [
                "Primitives", "JSON", "Runtime", "Configuration", "HTTPServer", "Providers", "TestingSupport",
                "TestingTools",
            ], path: "Shared/Testing/ProviderTesting", swiftSettings: strict),

        // MARK: Benchmarks

        // What `make bench` measures with; no product needs it.
        .target(name: "producer", path: "Benchmarks/producer", linkerSettings: [.linkedLibrary("rdkafka")]),
        .executableTarget(
            name: "bench",
            dependencies: [
                "Primitives", "JSON", "Configuration", "Runtime", "Observability", "Processes", "EventSourcing",
                "Contracts", "Postgres", "PostgresTesting", "EventStore", "EventRelay", "EventConsumer", "Kafka",
                "Projections", "History", "Replay", "ServiceKit", "producer", "reporting", "sessions", "ServiceTesting",
                "HTTPClient",
            ],
            path: "Benchmarks/bench", swiftSettings: strict),
        // Makes reports from what the media helper said, without a service: `make truth` judges them.
        .executableTarget(
            name: "coach", dependencies: ["Primitives", "JSON", "Contracts", "Coaching"], path: "Benchmarks/coach",
            swiftSettings: strict),

        // MARK: Tests

        // Holds the imports of all targets against the floors.
        .testTarget(
            name: "HouseTests", dependencies: ["TestingSupport", "TestingTools"], path: "Tests/HouseTests",
            swiftSettings: strict),
        tests("Values", "PrimitivesTests", ["Primitives"]),
        tests("Values", "JSONTests", ["JSON", "Primitives"]),
        tests("Values", "CryptoTests", ["Crypto", "Primitives", "JSON"]),
        tests("Values", "ConfigurationTests", ["Configuration", "Primitives"]),
        tests("Values", "ObservabilityTests", ["Observability", "Primitives", "JSON"]),
        tests("Engines", "RuntimeTests", ["Runtime", "Primitives"]),
        tests("Engines", "KafkaTests", ["Kafka", "CKafka", "Configuration", "Runtime", "Primitives"]),
        tests(
            "Engines", "HTTPServerTests",
            [
                "HTTPServer", "HTTPClient", "Runtime", "Observability", "Primitives", "JSON",
            ]),
        tests(
            "Engines", "ObjectStorageTests",
            [
                "ObjectStorage", "ServiceTesting", "Configuration", "JSON", "Primitives", "Runtime",
            ]),
        tests("Engines", "PostgresTests", ["Postgres", "PostgresTesting", "Primitives", "Runtime"]),
        tests("Engines", "ProcessesTests", ["Processes", "Runtime", "Primitives"]),
        tests("Events", "ContractsTests", ["Contracts", "EventSourcing", "JSON", "Primitives"]),
        tests(
            "Events", "EventStoreTests",
            [
                "EventStore", "EventSourcing", "Postgres", "PostgresTesting", "Primitives", "JSON", "Runtime",
            ]),
        tests(
            "Events", "PipelineTests",
            [
                "EventRelay", "EventConsumer", "EventStore", "Kafka", "Contracts", "EventSourcing", "Observability",
                "Postgres", "PostgresTesting", "Primitives", "JSON", "Runtime",
            ]),
        tests(
            "Events", "CoreSimulationTests",
            [
                "CoreSimulation", "EventRelay", "EventConsumer", "EventStore", "Kafka", "Contracts", "EventSourcing",
                "Observability", "Postgres", "PostgresTesting", "Primitives", "JSON", "Runtime",
            ]),
        tests(
            "Platform", "ServiceKitTests",
            [
                "ServiceKit", "Configuration", "Contracts", "Crypto", "EventSourcing", "EventStore", "HTTPServer",
                "JSON", "Kafka", "Observability", "Primitives", "Projections", "Runtime",
            ]),
        tests(
            "Platform", "ProvidersTests",
            [
                "Providers", "ProviderTesting", "ServiceKit", "Configuration", "HTTPServer", "JSON", "Primitives",
                "Runtime",
            ]),
        tests(
            "Platform", "CompatibleSurfaceTests",
            ["CompatibleSurface", "Contracts", "HTTPServer", "JSON", "Primitives", "ServiceKit"]),
        tests(
            "Platform", "RestTablesTests",
            [
                "RestTables", "CompatibleSurface", "HTTPServer", "JSON", "Postgres", "PostgresTesting", "Primitives",
                "Runtime",
            ]),
        tests(
            "Services/identity", "IdentityDomainTests",
            [
                "identity", "Access", "ServiceKit", "Runtime", "SigningKeys", "EventSourcingTesting", "Contracts",
                "EventSourcing", "EventStore", "JSON", "Primitives",
            ]),
        tests(
            "Services/identity", "IdentityServiceTests",
            [
                "identity", "Access", "CompatibleSurface", "Federation", "Photos", "ServiceTesting", "ServiceKit",
                "Contracts", "EventSourcing", "EventStore",
                "HTTPClient", "JSON", "Postgres", "Primitives", "Runtime", "Crypto", "Configuration",
                "Observability", "SigningKeys", "ObjectStorage", "PostgresTesting", "HTTPServer",
            ]),
        tests(
            "Services/identity", "FederationRuleTests",
            [
                "Federation", "Access", "Configuration", "Crypto", "EventStore", "HTTPServer", "JSON", "Observability",
                "Primitives", "Runtime", "ServiceKit",
            ]),
        tests("Services/identity", "PhotosTests", ["Photos"]),
        tests(
            "Services/identity", "MailTests",
            [
                "Mail", "Configuration", "EventSourcing", "EventStore", "Observability", "Postgres",
                "PostgresTesting", "Primitives", "Processes", "Runtime", "ServiceTesting",
            ], exclude: ["smtp-server.py"]),
        tests(
            "Services/sessions", "SessionsDomainTests",
            [
                "sessions", "ServiceKit", "Runtime", "EventSourcingTesting", "Contracts", "Configuration",
                "EventSourcing", "EventStore", "JSON", "Primitives", "Uploads", "HTTPServer",
            ]),
        tests(
            "Services/sessions", "SessionsServiceTests",
            [
                "sessions", "Configuration", "ServiceTesting", "ServiceKit", "Contracts", "EventConsumer",
                "EventSourcing", "EventStore",
                "HTTPClient", "HTTPServer", "JSON", "Postgres", "Primitives", "Projections", "Runtime", "Crypto",
                "Uploads",
                "ObjectStorage", "Observability", "CompatibleSurface", "RestTables",
            ]),
        tests(
            "Services/quota", "QuotaDomainTests",
            [
                "quota", "ServiceKit", "Runtime", "EventSourcingTesting", "Contracts", "EventSourcing", "JSON",
                "Primitives", "History",
            ]),
        tests(
            "Services/quota", "QuotaServiceTests",
            [
                "quota", "ServiceTesting", "ServiceKit", "EventStore", "EventSourcing", "EventConsumer", "Postgres",
                "PostgresTesting", "Projections", "Observability", "Contracts", "Crypto", "Runtime", "JSON",
                "Primitives", "HTTPClient", "HTTPServer", "Configuration", "History", "ObjectStorage", "RestTables",
            ]),
        tests(
            "Services/analysis", "AnalysisDomainTests",
            [
                "analysis", "Measuring", "ServiceKit", "Runtime", "EventSourcingTesting", "Contracts", "EventSourcing",
                "EventStore", "JSON", "Primitives", "Providers",
            ]),
        tests(
            "Services/analysis", "AnalysisServiceTests",
            [
                "analysis", "Measuring", "Configuration", "Contracts", "Crypto", "EventConsumer", "EventSourcing",
                "EventStore", "JSON", "Kafka", "ObjectStorage", "Observability", "Postgres", "PostgresTesting",
                "Primitives", "Processes", "Projections", "ProviderTesting", "Providers", "Runtime", "ServiceKit",
                "ServiceTesting",
            ]),
        tests("Services/reporting", "CoachingTests", ["Coaching", "Contracts", "JSON", "Primitives"]),
        tests("Services/reporting", "PracticeTests", ["Practice", "JSON", "Primitives"]),
        tests("Services/reporting", "ProgressTests", ["Progress"], exclude: ["Reference"]),
        tests(
            "Services/reporting", "ReportingDomainTests",
            [
                "reporting", "Coaching", "Practice", "Progress", "ServiceKit", "EventSourcingTesting", "Contracts",
                "EventSourcing", "EventStore", "History", "JSON", "Primitives", "Projections", "Providers",
            ], exclude: ["Reports"]),
        tests(
            "Services/reporting", "ReportingServiceTests",
            [
                "reporting", "Coaching", "Practice", "ServiceTesting", "ServiceKit", "EventStore", "EventSourcing",
                "EventConsumer",
                "ObjectStorage", "Postgres", "Crypto", "Contracts", "Configuration", "HTTPClient", "HTTPServer",
                "Kafka", "Observability", "Processes", "Runtime", "JSON", "Primitives", "Providers", "ProviderTesting",
                "RestTables",
            ]),
        tests(
            "Services/notifications", "NotificationsDomainTests",
            ["notifications", "EventSourcingTesting", "EventStore", "Contracts", "EventSourcing", "JSON", "Primitives"]),
        tests(
            "Services/notifications", "NotificationsServiceTests",
            [
                "notifications", "ServiceTesting", "ServiceKit", "EventStore", "EventSourcing", "Contracts", "Crypto",
                "Runtime", "JSON", "Primitives", "HTTPServer", "HTTPClient", "Postgres",
            ]),
        tests(
            "Services/mirrormate", "MirrormateTests",
            [
                "mirrormate", "CompatibleSurface", "Contracts", "Crypto", "EventSourcing", "HTTPServer", "History",
                "JSON", "Primitives", "Processes", "Replay", "Runtime", "ServiceTesting", "CClock",
            ]),
        tests(
            "Services/mirrormate", "ReplayTests",
            [
                "Replay", "mirrormate", "History", "identity", "sessions", "quota", "analysis", "reporting",
                "notifications",
                "ServiceTesting", "Configuration", "Crypto", "Contracts",
                "EventSourcing", "EventStore", "EventRelay", "EventConsumer", "Kafka", "Observability", "Postgres",
                "PostgresTesting", "Processes", "Projections", "ServiceKit", "Primitives", "JSON", "Runtime",
            ], exclude: ["Histories", "Releases"]),
        tests(
            "Services", "DeclarationTests",
            [
                "identity", "sessions", "quota", "analysis", "reporting", "notifications", "ContractChecking",
                "Contracts",
                "Configuration", "EventConsumer",
                "EventStore", "History", "HTTPServer", "Photos", "Postgres", "PostgresTesting", "Primitives", "Runtime",
                "ServiceKit", "Uploads",
            ]),
        tests(
            "Services", "ContractPathTests",
            [
                "identity", "sessions", "quota", "analysis", "reporting", "notifications", "APIDescription",
                "ContractChecking",
                "Access", "CompatibleSurface", "ServiceTesting", "HTTPServer", "ServiceKit", "SigningKeys", "Contracts",
                "Crypto", "EventSourcing", "EventStore", "EventRelay", "EventConsumer", "Kafka", "Measuring",
                "ObjectStorage", "Observability", "Providers",
                "Runtime", "JSON", "Primitives",
            ], exclude: ["released.sha256"]),
        tests(
            "Services", "RouteTests",
            [
                "Access", "identity", "sessions", "quota", "analysis", "reporting", "notifications", "APIDescription",
                "CompatibleSurface", "ServiceTesting",
                "ServiceKit", "HTTPServer", "EventStore", "Configuration", "Contracts", "Crypto", "HTTPClient",
                "JSON", "Postgres", "Primitives", "Runtime",
            ]),
        tests(
            "Services", "FederationTests",
            [
                "identity", "Access", "CompatibleSurface", "Federation", "LocalIssuer", "Photos", "ServiceTesting",
                "ServiceKit", "Configuration",
                "Contracts", "Crypto", "EventSourcing", "EventStore", "HTTPClient", "HTTPServer", "JSON",
                "ObjectStorage", "Observability", "Postgres", "PostgresTesting", "Primitives", "Runtime", "SigningKeys",
            ]),
        tests(
            "Services", "TrustTests",
            [
                "identity", "Access", "SigningKeys", "quota", "Replay", "History", "ServiceTesting", "ServiceKit",
                "Configuration",
                "Contracts", "Crypto", "EventConsumer", "EventRelay", "EventSourcing", "EventStore", "HTTPClient",
                "Kafka", "Observability", "Postgres", "JSON", "Primitives", "Runtime",
            ]),
        tests(
            "Services", "KindTests",
            [
                "sessions", "quota", "ServiceTesting", "ServiceKit", "Contracts", "EventSourcing", "EventStore", "JSON",
                "Primitives", "Runtime",
            ]),
        tests(
            "Services", "ClientTests",
            [
                "identity", "sessions", "quota", "reporting", "ServiceTesting", "ServiceKit",
                "Contracts", "Crypto", "JSON", "ObjectStorage", "Postgres", "PostgresTesting", "Primitives",
                "Runtime",
            ]),
        tests(
            "Services", "ReportTests",
            ["Measuring", "reporting", "Coaching", "APIDescription", "Contracts", "JSON", "Primitives"],
            exclude: ["Documents", "Worded", "measured.jsonl"]),
        tests(
            "Services", "SimulationTests",
            [
                "ServiceKit", "sessions", "quota", "analysis", "reporting", "Contracts", "EventSourcing",
                "JSON",
                "Primitives",
            ]),
    ],
    swiftLanguageModes: [.v6],
    cxxLanguageStandard: .cxx17
)

// `ONLY_TARGETS="SessionsDomainTests"` leaves those targets and what they need: `make t` builds and links no more than that,
// in a build folder of its own.
if let wanted = Context.environment["ONLY_TARGETS"]?.split(separator: " ").map(String.init), !wanted.isEmpty {
    let targets = Dictionary(uniqueKeysWithValues: package.targets.map { ($0.name, $0) })
    var kept: Set<String> = []
    var waiting = wanted
    while let name = waiting.popLast() {
        guard let target = targets[name] else { fatalError("ONLY_TARGETS: there is no target \(name).") }
        guard kept.insert(name).inserted else { continue }
        for dependency in target.dependencies {
            switch dependency {
            case .byNameItem(let name, _), .targetItem(let name, _): waiting.append(name)
            default: break
            }
        }
    }
    package.targets.removeAll { !kept.contains($0.name) }
    package.products.removeAll { product in
        (product as? Product.Executable).map { !$0.targets.allSatisfy(kept.contains) } ?? false
    }
}
