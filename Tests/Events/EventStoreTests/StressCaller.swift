import EventSourcing
import EventStore
import JSON
import Postgres
import Primitives
import Runtime
import TestingSupport

/// The answers that all callers got.
@Loop final class StressLedger {
    var counts: [String: Int] = [:]
    var acknowledged: [UUID: Int64] = [:]
    var refused: Set<UUID> = []
    /// Answers that had no reason of their own.
    var surprises: [String] = []
    var kills = 0
}

/// One of the callers: appends at random and compares each answer with what it must be.
@Loop struct StressCaller {
    let number: Int
    let store: EventStore
    var random: SeededRandom
    let ledger: StressLedger
    /// What this caller knows of the streams; others append to them too.
    var versions: [StreamName: Int64] = [:]
    var mine: [(id: UUID, hash: [UInt8])] = []

    mutating func step(_ streams: [StreamName]) async throws {
        let dice = random.next() % 1000
        switch dice {
        case 0..<60 where !mine.isEmpty:
            // A repeat of an earlier one, whatever the stream's version is now.
            let (id, hash) = mine[Int(random.next() % UInt64(mine.count))]
            await expect("repeat", of: id, notes(id, hash, [(streams[0], 0, 1)])) { $0 == "repeat" }
        case 60..<80 where !mine.isEmpty:
            let (id, _) = mine[Int(random.next() % UInt64(mine.count))]
            await expect("idReused", of: nil, notes(id, [9, 9], [(streams[0], 0, 1)])) { $0 == "idReused" }
        case 80..<100:
            let id = UUID.v7()
            await expect("bad-event", of: id, notes(id, [1], [(own(), 0, 1)], text: "a\u{0}b")) { $0 == "data" }
        case 100..<103:
            // Passes our check, and only the table's constraint refuses it: its neighbours must not notice.
            let id = UUID.v7()
            await expect("data", of: id, notes(id, [1], [(StreamName(rawValue: ""), 0, 1)])) { $0 == "data" }
        case 103..<108:
            let id = UUID.v7()
            let say = refuse("no")
            await expect(
                "guarded", of: id, notes(id, [1], [(own(), 0, 1)], calls: [tallyID(id), say])
            ) {
                $0 == "guarded"
            }
        case 108..<110:
            // Fails the whole statement with an error that no other append causes.
            let id = UUID.v7()
            await expect("broken", of: id, notes(id, [1], [(own(), 0, 1)], calls: [breakDown()])) {
                $0 == "data"
            }
        case 110..<120:
            let id = UUID.v7()
            await good(id, [(own(), 0, 1)], calls: [tallyID(id)])
        case 120..<600:
            // A new stream: nothing can conflict.
            await good(UUID.v7(), [(own(), 0, Int(1 + random.next() % 3))])
        default:
            // The streams that all share.
            let first = streams[Int(random.next() % UInt64(streams.count))]
            var writes = [(first, versions[first] ?? 0, Int(1 + random.next() % 2))]
            if dice > 900 {
                let second = streams[Int(random.next() % UInt64(streams.count))]
                if second != first { writes.append((second, versions[second] ?? 0, 1)) }
            }
            await contended(UUID.v7(), writes)
        }
    }

    private func own() -> StreamName { StreamName("own", .v7()) }

    private mutating func good(_ id: UUID, _ writes: [(StreamName, Int64, Int)], calls: [RowCall] = []) async {
        let hash = [UInt8(number)]
        if await expect("ok", of: id, notes(id, hash, writes, calls: calls), { $0 == "ok" || $0 == "repeat" }) == "ok" {
            mine.append((id, hash))
        }
    }

    private mutating func contended(_ id: UUID, _ writes: [(StreamName, Int64, Int)]) async {
        let hash = [UInt8(number)]
        let append = notes(id, hash, writes)
        do {
            let receipt = try await store.append(append)
            ledger.counts["ok", default: 0] += 1
            ledger.acknowledged[id] = receipt.position
            for (stream, version, count) in writes { versions[stream] = version + Int64(count) }
            mine.append((id, hash))
        } catch AppendError.conflict(let stream, let actual) {
            ledger.counts["conflict", default: 0] += 1
            ledger.refused.insert(id)
            let expected = writes.first { $0.0 == stream }?.1
            if expected == nil || expected == actual { ledger.surprises.append("a conflict that is none: \(stream)") }
            versions[stream] = actual
        } catch AppendError.unavailable {
            ledger.counts["unavailable", default: 0] += 1
        } catch {
            ledger.surprises.append("\(error)")
        }
    }

    /// Appends and compares the answer's kind; counts it under a name.
    @discardableResult
    private func expect(
        _ name: String, of id: UUID?, _ append: Append, _ isRight: (String) -> Bool
    ) async -> String {
        var kind: String
        do {
            let receipt = try await store.append(append)
            kind = receipt.isRepeat ? "repeat" : "ok"
            if let id {
                if let first = ledger.acknowledged[id], first != receipt.position {
                    ledger.surprises.append("two positions for one append")
                }
                ledger.acknowledged[id] = receipt.position
            }
        } catch {
            switch error {
            case .conflict: kind = "conflict"
            case .idReused: kind = "idReused"
            case .guarded: kind = "guarded"
            case .data: kind = "data"
            case .unavailable: kind = "unavailable"
            case .erased, .storeRefused, .groupRefused: kind = "\(error)"
            }
            if kind != "unavailable", kind != "idReused", let id { ledger.refused.insert(id) }
        }
        ledger.counts[kind == "unavailable" ? kind : name, default: 0] += 1
        if kind != "unavailable", !isRight(kind) { ledger.surprises.append("\(name): \(kind)") }
        // An append whose answer was lost and that the store repeated itself is reported as a repeat.
        return kind == "repeat" && name == "ok" ? "ok" : kind
    }

    private func notes(
        _ id: UUID, _ hash: [UInt8], _ writes: [(StreamName, Int64, Int)], text: String = "", calls: [RowCall] = []
    ) -> Append {
        let count = writes.reduce(0) { $0 + $1.2 }
        let tally = calls.contains { $0.name == "tally" }
        return Append(
            id: id, requestHash: hash, metadata: metadata(),
            writes: writes.map { stream, version, events in
                StreamWrite(
                    stream, expectedVersion: version,
                    events: (0..<events).map { _ in
                        NewEvent(Part(append: id, of: Int64(count), text: text, isTallied: tally))
                    })
            }, calls: calls)
    }
}

/// An event that names its append.
private struct Part: PrivateEvent {
    var append: UUID
    var of: Int64
    var text: String
    var isTallied: Bool
    var type: EventType { EventType("Part") }
    var data: JSONObject {
        ["append": .uuid(append), "of": .int(of), "text": .string(text), "tally": .string(isTallied ? "yes" : "no")]
    }

    static func decode(_ type: EventType, _ data: JSONObject) throws(EventDecodingError) -> Part {
        try reading(type, data) { (_, data) throws(JSONError) in
            try Part(
                append: data.uuid("append"), of: data.int("of"), text: data.string("text"),
                isTallied: data.string("tally") == "yes")
        }
    }
}
