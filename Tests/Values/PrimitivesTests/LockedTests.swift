import Primitives
import Testing

struct LockedTests {
    private struct Refusal: Error, Equatable {}

    @Test func `increments from many tasks are all counted`() async {
        let counter = Locked(0)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask { for _ in 0..<1_000 { counter.withLock { $0 += 1 } } }
            }
        }
        #expect(counter.withLock { $0 } == 8_000)
    }

    @Test func `an error leaves the lock free and keeps what was written before it`() throws {
        let items = Locked<[String]>([])
        #expect(throws: Refusal()) {
            try items.withLock { (items) throws(Refusal) in
                items.append("first")
                throw Refusal()
            }
        }
        #expect(items.withLock { $0 } == ["first"])
    }
}
