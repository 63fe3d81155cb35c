import ContractChecking
import Contracts
import EventConsumer
import EventRelay
import JSON
import Kafka
import Primitives
import Runtime
import ServiceKit
import Testing

/// Compares a service's real decoders with its own contracts: they need what the contracts say, and nothing more.
private struct Reading: StoryVisitor {
    private let tree = ContractTree(FolderFiles.contracts(under: root))

    @Loop func visit<T: Story>(_: T.Type) async throws {
        for provider in T.S.reads {
            let contract = try #require(
                tree.contracts.first { $0.consumer == T.S.name.rawValue && $0.provider == provider.rawValue },
                "\(T.S.name.rawValue) reads \(provider.rawValue) and has no contract with it: write \(provider.rawValue).contract.json."
            )
            for golden in tree.published where golden.type.service == provider.rawValue {
                for record in golden.records {
                    if golden.type == MessageType.lease(provider) {
                        leases(record, contract)
                    } else {
                        try check(T.self, record, golden.type, contract)
                    }
                }
            }
            try nothingIsReadInVain(T.self, provider)
            try unknown(T.self, provider, contract)
        }
        let read = Set(T.S.reads.map(\.rawValue))
        for contract in tree.contracts where contract.consumer == T.S.name.rawValue {
            #expect(
                read.contains(contract.provider), "\(contract.path) is about a topic that the service does not read.")
        }
    }

    /// An entry of the table of reactions that ignores every message belongs into `ignoring`, or is not written yet.
    private func nothingIsReadInVain<T: Story>(_: T.Type, _ provider: ServiceName) throws {
        for type in T.S.reactions.types where type.service == provider.rawValue {
            let records = tree.published.filter { $0.type == type }.flatMap(\.records)
            #expect(
                try records.contains { try T.concerns(incoming($0, $0.value)) },
                "\(T.S.name.rawValue) has \(type.shortName) in its table and never does anything about it: write what follows from it, or move it to `ignoring`."
            )
        }
    }

    private func incoming(_ record: PublishedRecord, _ value: JSONObject) throws -> Incoming {
        let received = try ReceivedMessage(KafkaRecord(record)).incoming
        return Incoming(id: received.id, type: received.type, time: received.time, data: value)
    }

    private func check<T: Story>(
        _: T.Type, _ record: PublishedRecord, _ type: MessageType, _ contract: ConsumerContract
    ) throws {
        let message = contract.message(type)
        #expect(
            try T.concerns(incoming(record, record.value)) == (message != nil),
            "\(contract.path): whether \(type.shortName) is read, code and contract disagree.")
        guard let message else { return }
        headers(record, contract)
        let rules = Dictionary(uniqueKeysWithValues: message.fields.flattened.map { ($0.path, $0.rule) })
        for path in record.value.paths {
            let less = try incoming(record, record.value.without(path))
            let needs = (try? T.concerns(less)) == nil
            let rule = rules[path]
            #expect(
                needs == (rule.map { !$0.isOptional } ?? false),
                "\(contract.path): \(type.shortName), field \(path): the decoder \(needs ? "needs" : "does not need") it, and the contract says otherwise."
            )
            if rule?.form == .code {
                let strange = record.value.replacing(path, "something-new")
                #expect(
                    (try? T.concerns(incoming(record, strange))) != nil,
                    "\(contract.path): \(type.shortName), field \(path): an unknown code must be handled.")
            }
        }
        var more = record.value
        more["something-new"] = 1
        #expect((try? T.concerns(incoming(record, more))) != nil, "Unknown members must be ignored.")
    }

    /// Dropping a header is noticed exactly when the contract names it as needed.
    private func headers(_ record: PublishedRecord, _ contract: ConsumerContract) {
        for (name, _) in record.headers {
            let less = record.without(header: name)
            let needs = (try? ReceivedMessage(KafkaRecord(less))) == nil
            let form = contract.headers.first { $0.name == name }?.form
            #expect(
                needs == (form.map { !$0.hasSuffix("?") } ?? false),
                "\(contract.path): header \(name): the decoder \(needs ? "needs" : "does not need") it, and the contract says otherwise."
            )
        }
    }

    private func leases(_ record: PublishedRecord, _ contract: ConsumerContract) {
        for (name, _) in record.headers {
            let needs = ChainRecord(KafkaRecord(record.without(header: name))) == nil
            let form = contract.leaseHeaders.first { $0.name == name }?.form
            #expect(
                needs == (form.map { !$0.hasSuffix("?") } ?? false),
                "\(contract.path): lease records, header \(name): code and contract disagree.")
        }
    }

    /// Types and versions that this build does not know are passed by.
    private func unknown<T: Story>(_: T.Type, _ provider: ServiceName, _ contract: ConsumerContract) throws {
        let types =
            [MessageType(provider, "SomethingNew")]
            + contract.messages.map { type in
                MessageType(provider, type.type.name, 99)
            }
        for type in types {
            let message = Incoming(id: .v4(), type: type, time: World.morning, data: [:])
            #expect(try !T.concerns(message), "\(type) is unknown and must be ignored.")
        }
    }
}

@Suite("What a consumer relies on") struct ReadingTests {
    @Test("is what its contracts say, field by field and header by header", arguments: selectedServices)
    @Loop func contracts(service: ServiceName) async throws { try await Reading().run(service) }
}

extension PublishedRecord {
    fileprivate func without(header name: String) -> PublishedRecord {
        PublishedRecord(
            topic: topic, partition: partition, key: key, headers: headers.filter { $0.name != name }, value: value)
    }
}

extension JSONObject {
    /// The paths of all members, also of objects in it.
    fileprivate var paths: [String] {
        members.flatMap { member in
            [member.key] + (member.value.objectValue?.paths.map { "\(member.key).\($0)" } ?? [])
        }
    }

    fileprivate func without(_ path: String) -> JSONObject { setting(path, nil) }

    fileprivate func replacing(_ path: String, _ value: JSONValue) -> JSONObject { setting(path, value) }

    private func setting(_ path: String, _ value: JSONValue?) -> JSONObject {
        var object = self
        let parts = path.split(separator: ".", maxSplits: 1).map(String.init)
        if parts.count == 1 {
            object[path] = value
        } else if let inner = self[parts[0]]?.objectValue {
            object[parts[0]] = .object(inner.setting(parts[1], value))
        }
        return object
    }
}
