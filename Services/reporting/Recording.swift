package import Contracts
import HTTPServer
package import JSON
package import Primitives
import Runtime
import ServiceKit

/// When and where a session was begun, and of which kind it is.
package struct Recording: Sendable, Equatable {
    package var kind: SessionKind
    /// The IANA time zone that its client named.
    package var timeZone: String
    /// How far clocks there were ahead of UTC when it was begun, in seconds; negative in the west.
    package var utcOffsetSeconds: Int64
    package var begunAt: Timestamp

    package init(kind: SessionKind, timeZone: String, utcOffsetSeconds: Int64, begunAt: Timestamp) {
        self.kind = kind
        self.timeZone = timeZone
        self.utcOffsetSeconds = utcOffsetSeconds
        self.begunAt = begunAt
    }

    /// The stored form.
    ///
    /// - Throws: `JSONError` for a member that is missing or of another type.
    package init(_ object: JSONObject) throws(JSONError) {
        kind = try object.code("kind")
        timeZone = try object.string("timeZone")
        utcOffsetSeconds = try object.int("utcOffsetSeconds")
        begunAt = try object.timestamp("begunAt")
    }

    /// As a session was created. A zone that the database does not know counts as UTC, as it does for what the day costs.
    ///
    /// - Throws: `PostgresError`.
    @Loop init(_ created: SessionCreated, _ zones: TimeZones) async throws {
        var zone = created.timeZone
        do { try await zones.check(zone) } catch is Problem { zone = "UTC" }
        self.init(
            kind: created.kind, timeZone: zone,
            utcOffsetSeconds: try await zones.utcOffsetSeconds(of: zone, at: created.createdAt),
            begunAt: created.createdAt)
    }

    /// As it was found when an event followed from the message; in UTC when none did.
    init(recalledFrom event: ReportEvent?, of created: SessionCreated) {
        guard case .recordingLearned(_, let recording) = event else {
            self.init(kind: created.kind, timeZone: "UTC", utcOffsetSeconds: 0, begunAt: created.createdAt)
            return
        }
        self = recording
    }

    package var json: JSONObject {
        [
            "kind": kind.json, "timeZone": .string(timeZone), "utcOffsetSeconds": .int(utcOffsetSeconds),
            "begunAt": .time(begunAt),
        ]
    }

    /// The day on which it was begun, on the clocks of the place.
    package var day: LocalDay { LocalDay(of: begunAt, utcOffsetSeconds: utcOffsetSeconds) }
}

/// The rules: a session's beginning is noted once, whether its report is there already or not; after an ending nobody asks for it.
extension Report {
    /// Whether nothing has come of the session yet.
    var isOpen: Bool {
        switch self {
        case .absent, .awaited: true
        case .waiting, .written, .failed, .deleted, .practised, .gone: false
        }
    }

    func learn(_ report: ReportIdentity, _ recording: Recording) -> [ReportEvent] {
        switch self {
        case .absent, .awaited(_, nil, _), .written(_, _, nil): [.recordingLearned(report, recording)]
        case .waiting(let waiting): waiting.recording == nil ? [.recordingLearned(report, recording)] : []
        case .awaited, .written, .failed, .deleted, .practised, .gone: []
        }
    }

    /// A recording is kept or removed only after its report was written; but messages of two services come in any order, above all
    /// after a restore.
    func learn(_ report: ReportIdentity, keptUntil until: Timestamp?) -> [ReportEvent] {
        switch self {
        case .written: [.retentionLearned(report, until: until)]
        case .absent: until == nil ? [] : [.retentionLearned(report, until: until)]
        case .awaited(_, _, let known): until == known ? [] : [.retentionLearned(report, until: until)]
        case .waiting(let waiting): until == waiting.keptUntil ? [] : [.retentionLearned(report, until: until)]
        case .failed, .deleted, .practised, .gone: []
        }
    }

    func learning(_ report: ReportIdentity, _ recording: Recording) -> Report {
        switch self {
        case .absent: .awaited(report, recording)
        case .awaited(let report, _, let until): .awaited(report, recording, keptUntil: until)
        case .waiting(let waiting): waiting.with { $0.recording = recording }
        case .written(let report, let document, _): .written(report, document, recording: recording)
        case .failed, .deleted, .practised, .gone: self
        }
    }

    func learning(_ report: ReportIdentity, keptUntil until: Timestamp?) -> Report {
        switch self {
        case .absent: .awaited(report, nil, keptUntil: until)
        case .awaited(let report, let recording, _): .awaited(report, recording, keptUntil: until)
        case .waiting(let waiting): waiting.with { $0.keptUntil = until }
        case .written, .failed, .deleted, .practised, .gone: self
        }
    }
}
