import ServiceTesting
import Testing

@testable import mirrormate

@Suite struct `The Kafka of a stack` {
    private func record(_ kind: String, home: String = "") -> StackRecord {
        var record = StackRecord()
        record.kafkaKind = kind
        record.kafkaHome = home
        return record
    }

    private static let kept: [(Broker.Kind?, String, String, Broker.Kind)] = [
        (nil, "", "", .development), (.apache, "", "", .apache), (.external, "", "", .external),
        (nil, "development", "", .development), (nil, "apache", "/opt/kafka", .apache),
        (.apache, "apache", "", .apache), (.external, "external", "", .external),
    ]

    @Test(arguments: kept) func `is the one that it has, and at first the one that is asked for`(
        wanted: Broker.Kind?, before: String, home: String, kind: Broker.Kind
    ) throws {
        #expect(try Broker.kind(wanted: wanted, before: record(before, home: home), isSwitching: false) == kind)
    }

    private static let others: [(Broker.Kind?, String, String)] = [
        (
            .apache, "development",
            "This stack has the development broker, and KAFKA_HOME asks for an Apache Kafka of its own."
        ),
        (nil, "external", "This stack has a Kafka that runs elsewhere, and KAFKA_BOOTSTRAP_SERVERS is not set."),
        // Of before the folder was remembered.
        (nil, "apache", "This stack has an Apache Kafka of its own, and KAFKA_HOME is not set."),
        (
            .external, "apache",
            "This stack has an Apache Kafka of its own, and KAFKA_BOOTSTRAP_SERVERS asks for a Kafka that runs elsewhere."
        ),
    ]

    @Test(arguments: others) func `is never another one without being asked`(
        wanted: Broker.Kind?, before: String, message: String
    ) throws {
        let failure = #expect(throws: Failure.self) {
            try Broker.kind(wanted: wanted, before: record(before), isSwitching: false)
        }
        #expect(failure?.exit == .configuration && failure?.message == message)
        #expect(failure?.advice.contains("`mirrormate up --switch-kafka`") == true)
        #expect(try Broker.kind(wanted: wanted, before: record(before), isSwitching: true) == wanted ?? .development)
    }

    @Test func `is started with the Java that is named, else with the one of before as long as that is there`() throws {
        let folder = TemporaryFolder()
        for name in ["", "/bin"] { try Files.makeFolder("\(folder.path)/java\(name)") }
        let java = "\(folder.path)/java"
        try Files.write("#!/bin/sh\n", to: "\(java)/bin/java", mode: 0o755)
        #expect(Broker.java(said: "", before: java) == java)
        #expect(Broker.java(said: "", before: "\(folder.path)/gone") == "" && Broker.java(said: "", before: "") == "")
        #expect(Broker.java(said: "\(folder.path)/other", before: java) == "\(folder.path)/other")
    }

    @Test func `is remembered with its folder and its Java`() throws {
        let folder = TemporaryFolder()
        let state = try StateFolder(option: folder.path, home: folder.path, for: .change)
        var record = record("apache", home: "/opt/kafka")
        record.kafkaJava = "/opt/java"
        try record.save(state)
        #expect(StackRecord.load(state) == record)
    }
}
