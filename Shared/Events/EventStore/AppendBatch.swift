import EventSourcing
import JSON
import Postgres
import Primitives

/// Several appends as the arrays of one call.
package struct AppendBatch: Sendable {
    package let appends: [Append]
    /// How many consecutive appends are committed atomically, group by group.
    package let groupSizes: [Int]

    static let sql = "select * from append_batch($1,$2,$3,$4,$5,$6,$7,$8,$9,$10,$11,$12,$13,$14,$15,$16,$17)"

    var parameters: [PostgresValue] {
        var streams: [String?] = []
        var places: [StreamName: Int64] = [:]
        var writeAppends: [Int64] = []
        var writeStreams: [Int64] = []
        var writeExpected: [Int64] = []
        var writeSizes: [Int64] = []
        var eventWrites: [Int64] = []
        var eventIDs: [UUID?] = []
        var eventTypes: [String?] = []
        var eventVersions: [Int64] = []
        var eventDatas: [[UInt8]?] = []
        for (place, append) in appends.enumerated() {
            var index = 0
            for write in append.writes {
                let known = places[write.stream]
                if known == nil {
                    streams.append(write.stream.description)
                    places[write.stream] = Int64(streams.count)
                }
                writeAppends.append(Int64(place + 1))
                writeStreams.append(known ?? Int64(streams.count))
                writeExpected.append(write.expectedVersion)
                writeSizes.append(Int64(write.events.count))
                for event in write.events {
                    eventWrites.append(Int64(writeAppends.count))
                    eventIDs.append(Append.eventID(append.id, index))
                    eventTypes.append(event.type.name)
                    eventVersions.append(Int64(event.type.version))
                    eventDatas.append(event.data)
                    index += 1
                }
            }
        }
        return [
            .uuids(appends.map(\.firstEventID)), .byteas(appends.map(\.requestHash)),
            .uuids(appends.map(\.metadata.owner)), .bools(appends.map(\.thoughErased)),
            .jsons(appends.map { JSONValue.object($0.metadata.json).bytes }), .jsons(calls), .ints(groups),
            .texts(streams), .ints(writeAppends), .ints(writeStreams), .ints(writeExpected), .ints(writeSizes),
            .ints(eventWrites), .uuids(eventIDs), .texts(eventTypes), .ints(eventVersions), .jsons(eventDatas),
        ]
    }

    /// The number of each append's group; empty when none belongs to a group.
    private var groups: [Int64] {
        if groupSizes.count == appends.count { return [] }
        return groupSizes.enumerated().flatMap { number, size in repeatElement(Int64(number + 1), count: size) }
    }

    /// Of each append; empty when none has any.
    private var calls: [[UInt8]?] {
        appends.allSatisfy(\.calls.isEmpty) ? [] : appends.map(Self.calls)
    }

    private static func calls(_ append: Append) -> [UInt8]? {
        if append.calls.isEmpty { return nil }
        return JSONValue.array(
            append.calls.map { .object($0.json) }
        ).bytes
    }

    /// The verdict of one row of the answer.
    static func result(_ row: PostgresRow) -> Result<AppendReceipt, AppendError> {
        let detail = { row.optional(3, PostgresRow.text) ?? "" }
        switch row.text(0) {
        case "ok":
            return .success(AppendReceipt(position: row.int(1), recordedAt: row.time(2), isRepeat: false))
        case "known":
            return .success(AppendReceipt(position: row.int(1), recordedAt: row.time(2), isRepeat: true))
        case "hash": return .failure(.idReused)
        case "erased": return .failure(.erased)
        case "version":
            return .failure(.conflict(.init(rawValue: detail()), actualVersion: row.optional(4, PostgresRow.int) ?? 0))
        case "guard": return .failure(.guarded(RowRefusal(detail())))
        case "group": return .failure(.groupRefused)
        case "data": return .failure(.data(detail()))
        case "refused": return .failure(.storeRefused(detail()))
        case let other: return .failure(.data("unknown-verdict-\(other)"))
        }
    }
}
