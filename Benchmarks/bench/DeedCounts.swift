import Contracts
import EventSourcing
import History
import JSON
import Primitives
import Projections

/// The simple fold used to measure rebuilds: the number and total size of a session's deeds.
enum DeedCounts: ReadModel {
    struct Row: Sendable {
        var owner: UUID
        var count: Int64 = 0
        var bytes: Int64 = 0
        var lastAt = Timestamp.epoch
    }

    static let name = "deed_counts"
    static let columns = ["owner_id", "deeds", "bytes", "last_at"]

    static func keys(of event: Deed) -> [UUID] { [event.session] }

    static func evolve(_ row: Row?, _ event: Deed, key: UUID, recordedAt: Timestamp) -> Row? {
        var row = row ?? Row(owner: event.owner)
        row.count += 1
        row.bytes += event.bytes
        row.lastAt = recordedAt
        return row
    }

    static func text(_ key: UUID) -> String { key.description }

    static func encode(_ row: Row) -> JSONObject {
        [
            "owner_id": .uuid(row.owner), "deeds": .int(row.count), "bytes": .int(row.bytes),
            "last_at": .time(row.lastAt),
        ]
    }

    static func decode(_ columns: JSONObject) throws(JSONError) -> Row {
        Row(
            owner: try columns.uuid("owner_id"), count: try columns.int("deeds"), bytes: try columns.int("bytes"),
            lastAt: try columns.timestamp("last_at"))
    }
}

/// One session's deeds, as an aggregate.
struct DeedTale: Decider {
    var count: Int64 = 0
    var bytes: Int64 = 0

    enum Refusal: Error { case never }
    static let initial = DeedTale()
    static func decide(_ command: Deed, _ state: DeedTale) throws(Refusal) -> [Deed] { [command] }
    static func evolve(_ state: DeedTale, _ event: Deed) -> DeedTale {
        DeedTale(count: state.count + 1, bytes: state.bytes + event.bytes)
    }

    static let history = ServiceHistory(
        .sessions, reads: [], hears: [],
        aggregates: [AggregateHistory(DeedTale.self, categories: ["session"]) { record, _ in record.events.last }],
        readModels: [
            ReadModelHistory(DeedCounts.self, foreign: { _ in false }) { [StreamName(rawValue: "session-\($0)")] }
        ],
        publication: { _ in nil })
}
