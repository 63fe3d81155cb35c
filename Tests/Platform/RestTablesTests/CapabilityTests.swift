import Primitives
import Testing

@testable import RestTables

@Suite struct `What nobody may read by its id` {
    private let begun = Timestamp(seconds: 1_795_000_000)

    @Test func `is a session of the compatible surface, for an hour`() {
        let id = UUID.v4()
        for (seconds, isOpen) in [(0, true), (3_599, true), (3_600, false), (86_400, false), (-61, false)]
            as [(Int64, Bool)]
        {
            #expect(
                SessionCapability.isOpen(id, createdAt: begun, now: begun + .seconds(seconds)) == isOpen, "\(seconds)")
        }
    }

    @Test func `is none whose id could be worked out`() throws {
        let ids = [
            UUID.v5(namespace: .v4(), name: "session"), .v7(), .zero,
            try #require(UUID.v8([UInt8](repeating: 1, count: 16))),
        ]
        for id in ids {
            #expect(!SessionCapability.isCompatible(id))
            #expect(!SessionCapability.isOpen(id, createdAt: begun, now: begun))
        }
    }
}
