import Contracts

extension Flags {
    static let against = Flag("--against", .text("REF"), "another git revision: what is deployed")
    static let service = Flag(
        "--service", .service, "only what this service promises or relies on: can it be deployed alone?")
    static let root = Flag("--root", .folder, preset: ".", "the folder of the sources")
}

extension ValueType where Value == ServiceName {
    /// The name of a service.
    static var service: Self {
        Self("SERVICE", noun: "service", ServiceName.allCases.map(\.rawValue)) { ServiceName(rawValue: $0) }
    }
}

extension CommandTable {
    /// What services promise each other.
    static let contracts: [CommandEntry] = [
        CommandEntry(
            name: "contracts check", topic: .development, summary: "whether services keep what they promise each other",
            flags: [Flags.against, Flags.service, Flags.root, Flags.json],
            examples: [
                ("mirrormate contracts check", "from these sources"),
                ("mirrormate contracts check --against v1.2", "can these sources be deployed beside that revision?"),
                ("mirrormate contracts check --service quota --against main", "can this service be deployed alone?"),
            ],
            exitCodes: .standard.with(.success, "all contracts hold").with(.failure, "a contract is broken")
        ) { try await ContractsCommand($0, $1).check() },
        CommandEntry(
            name: "contracts unused", topic: .development,
            summary: "messages, fields and headers on which nobody relies",
            flags: [Flags.root, Flags.json], examples: [("mirrormate contracts unused", "from these sources")]
        ) { try ContractsCommand($0, $1).unused() },
        CommandEntry(
            name: "contracts documents", topic: .development,
            summary: "write docs/events.md, docs/asyncapi.json, docs/schemas",
            flags: [Flags.root, Flags.json],
            examples: [("mirrormate contracts documents", "what `make documents` runs")]
        ) { try ContractsCommand($0, $1).documents() },
    ]
}
