import CompatibleSurface
import JSON
import Postgres
import Primitives
import RestTables
import Runtime
import ServiceKit
import ServiceTesting
import Testing
import TestingSupport

@testable import sessions

/// Queries of all sorts, most of them meant to get hold of what is somebody else's.
struct RandomQueries {
    private static let columns = CompatibleSession.table.columns.map(\.name) + ["owner_id", "row", "nothing"]

    var random: SeededRandom
    let ids: [UUID]
    let users: [UUID]

    mutating func next() -> [(String, String)] {
        var pairs: [(String, String)] = []
        for _ in 0...random.below(3) { pairs.append(filter(depth: 0)) }
        if random.chance(40) { pairs.append(("select", list(of: { $0.column() }))) }
        if random.chance(30) {
            pairs.append(("order", list(of: { $0.column() + $0.one(["", ".asc", ".desc.nullsfirst"]) })))
        }
        if random.chance(20) { pairs.append(("limit", one(["0", "1", "50", "-1", "9223372036854775807"]))) }
        if random.chance(20) { pairs.append(("offset", one(["0", "1", "99999999999999999999"]))) }
        return pairs
    }

    private mutating func one(_ texts: [String]) -> String { random.pick(texts)! }

    private mutating func column() -> String { random.chance(97) ? Self.columns[random.below(8)] : one(Self.columns) }

    private mutating func list(of part: (inout RandomQueries) -> String) -> String {
        var parts: [String] = []
        for _ in 0...random.below(3) { parts.append(part(&self)) }
        return parts.joined(separator: ",")
    }

    private mutating func filter(depth: Int) -> (String, String) {
        if depth < 3, random.chance(30) {
            let name = one(["or", "and", "not.or", "not.and"])
            var parts: [String] = []
            for _ in 0...random.below(3) {
                let (inner, value) = filter(depth: depth + 1)
                parts.append(value.hasPrefix("(") ? inner + value : "\(inner).\(value)")
            }
            return (name, "(\(parts.joined(separator: ",")))")
        }
        let column = column()
        return (column, condition(of: column))
    }

    private mutating func condition(of column: String) -> String {
        let negation = random.chance(30) ? "not." : ""
        switch random.below(10) {
        case 0: return negation + "is." + one(["null", "not_null", "null", "true"])
        case 1: return negation + "in.(\(list { $0.value(of: column) }))"
        case 2 where Self.texts.contains(column) || random.chance(10):
            return negation + one(["like", "ilike"]) + "." + one(["*", "%", "_*", "*q*", "*.mp4", "\\"])
        case 3: return negation + "isdistinct." + value(of: column)
        default: return negation + one(["eq", "neq", "gt", "gte", "lt", "lte"]) + "." + value(of: column)
        }
    }

    private static let texts = ["device_id", "video_path", "status"]

    /// Mostly one of the column's type.
    private mutating func value(of column: String) -> String {
        if random.chance(10) {
            return one([random.pick(ids)!.description, "0.5", "2020-01-01", "", "*", Self.attacks[0]])
        }
        switch column {
        case "id": return random.pick(ids)!.description
        case "user_id": return random.pick(users)!.description.uppercased()
        case "created_at": return one(["2020-01-01", "2100-01-01T00:00:00Z"])
        case "duration_sec": return one(["0", "60", "-1"])
        case "progress": return one(["0", "0.5", "1", "-1"])
        case "video_path": return "\(random.pick(ids)!).mp4"
        default: return random.chance(50) ? one(["queued", "error", "complete"]) : one(Self.attacks)
        }
    }

    private static let attacks = [
        "' or '1'='1", "1) or true --", "$1", "\"", "null", "x' union select * from session_list --", "system",
        "set_config('mirrormate.scope','system',false)",
    ]
}

@Suite(.timeLimit(.minutes(10))) @Loop struct `Ten thousand queries of the table sessions` {
    private static let count = 10_000

    @Test func `give nobody a row of anybody else`() async throws {
        try await withSessions { fixture in
            let client = try await CompatibleClient(fixture)
            let stranger = UUID.v7()
            var (mine, theirs) = ([UUID](), [UUID]())
            for number in 0..<8 {
                mine.append(number % 2 == 0 ? .v4() : .v5(namespace: fixture.user, name: "\(number)"))
                theirs.append(number % 2 == 0 ? .v4() : .v5(namespace: stranger, name: "\(number)"))
                try await fixture.place(mine[number], of: fixture.user)
                try await fixture.place(theirs[number], of: stranger)
                if number > 4 { try await fixture.put(.cancel(by: fixture.user), on: mine[number], of: fixture.user) }
            }
            // Until they are in the table.
            #expect(try await client.rows("sessions", as: fixture.user)?.count == 8)

            let seed = UInt64.random(in: 1...UInt64(Int64.max))
            print("seed of the queries of sessions: \(seed)")
            var queries = RandomQueries(
                random: SeededRandom(seed: seed), ids: mine + theirs, users: [fixture.user, stranger])
            let context = fixture.service.context
            let reader = RestReader(CompatibleSession.table, context) { CompatibleSession.row(try SessionRow($0)) }
            let allowed = Set(mine)
            var (understood, found) = (0, 0)
            for number in 0..<Self.count {
                let pairs = queries.next()
                // What is not understood is refused before the database hears of it.
                guard let query = try? RestQuery(pairs.map { (name: $0.0, value: $0.1) }, of: CompatibleSession.table)
                else { continue }
                understood += 1
                let rows = try await reader.every(query, in: .owner(fixture.user))
                let ids = rows.compactMap { $0["id"]?.stringValue.flatMap { UUID($0) } }
                #expect(
                    ids.count == rows.count && allowed.isSuperset(of: ids), "query \(number) of seed \(seed): \(pairs)")
                found += ids.isEmpty ? 0 : 1
            }
            // So many are no queries of nonsense alone.
            #expect(understood > Self.count / 5 && found > Self.count / 50)

            // The same over the port, for somebody and for nobody.
            for number in 0..<500 {
                let pairs = queries.next()
                for user in [fixture.user, nil] {
                    let answer = try await client.send("GET", "/rest/v1/sessions", pairs, as: user)
                    #expect(answer.status < 500, "query \(number) of seed \(seed): \(pairs)")
                    let text = String(decoding: answer.body, as: UTF8.self)
                    guard answer.status == 200 else { continue }
                    let isPinned = pairs.count { !["select", "order", "limit", "offset"].contains($0.0) } == 1
                    for id in user == nil && !isPinned ? mine + theirs : theirs where !(user == nil && isPinned) {
                        #expect(!text.contains(id.description), "query \(number) of seed \(seed): \(pairs)")
                    }
                }
            }
        }
    }
}
