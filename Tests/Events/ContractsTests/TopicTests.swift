import Contracts
import Primitives
import Testing

@Suite("A topic") struct TopicTests {
    @Test("has a name, eight partitions and a generation that are pinned")
    func shape() {
        let topics = ServiceName.allCases.map(Topic.init)
        #expect(
            topics.map(\.name) == [
                "mirrormate.identity.v1", "mirrormate.sessions.v1", "mirrormate.quota.v1", "mirrormate.analysis.v1",
                "mirrormate.reporting.v1", "mirrormate.notifications.v1",
            ])
        #expect(topics.allSatisfy { $0.partitions == 8 && $0.generation == 1 })
    }

    /// Worked out with another implementation of FNV-1a; a change here would break the order of keys.
    @Test(
        "puts a key where it always was",
        arguments: [
            ("system", 4),
            ("00000000-0000-0000-0000-000000000000", 1),
            ("ffffffff-ffff-ffff-ffff-ffffffffffff", 1),
            ("019a9c60-0000-7000-8000-00000000000a", 2),
            ("019a9c60-0000-7000-8000-00000000000b", 7),
            ("6ba7b810-9dad-11d1-80b4-00c04fd430c8", 0),
            ("f47ac10b-58cc-4372-a567-0e02b2c3d479", 0),
            ("0190163d-8694-739b-aea5-966c26f8ad91", 2),
        ])
    func goldenVectors(key: String, partition: Int32) throws {
        let key = key == "system" ? MessageKey.system : MessageKey.owner(try #require(UUID(key)))
        #expect(Topic(.sessions).partition(of: key) == partition)
    }

    @Test("spreads owners over all partitions")
    func spread() {
        let partitions = Set(
            (0..<200).map { Topic(.quota).partition(of: .owner(UUID(high: 0x7000, low: $0))) })
        #expect(partitions == Set(0..<8))
    }
}

@Suite("A message key") struct MessageKeyTests {
    @Test("of an owner is the lower-case text of the id, from which the owner can be read")
    func owner() throws {
        let id = try #require(UUID("019A9C60-0000-7000-8000-00000000000A"))
        #expect(MessageKey.owner(id).description == "019a9c60-0000-7000-8000-00000000000a")
        #expect(MessageKey.owner(id).owner == id)
    }

    @Test("of the system has no owner") func system() {
        #expect(MessageKey.system.description == "system")
        #expect(MessageKey.system.owner == nil)
    }
}

@Suite("A message type") struct MessageTypeTests {
    @Test("is written as one text and read back") func text() {
        #expect(SessionCreated.type.description == "mirrormate.sessions.SessionCreated.v1")
        #expect(MessageType("mirrormate.sessions.SessionCreated.v1") == SessionCreated.type)
        #expect(MessageType.lease(.quota).description == "mirrormate.quota.Lease.v1")
    }

    @Test("of a service, name or version that this build does not know is kept") func unknown() {
        #expect(MessageType("mirrormate.billing.Paid.v12")?.description == "mirrormate.billing.Paid.v12")
    }

    @Test(
        "is not read from anything else",
        arguments: [
            "", "SessionCreated", "mirrormate.sessions.SessionCreated", "mirrormate.sessions.SessionCreated.1",
            "mirrormate.sessions.SessionCreated.v0", "mirrormate.sessions.SessionCreated.v01",
            "mirrormate.sessions.SessionCreated.v+1", "mirrormate..SessionCreated.v1", "other.sessions.X.v1",
            "mirrormate.sessions.X.v1.y",
        ])
    func refused(text: String) { #expect(MessageType(text) == nil) }
}
