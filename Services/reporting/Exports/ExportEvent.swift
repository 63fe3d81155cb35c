package import Contracts
import EventSourcing
import JSON
package import Primitives

/// Which export an event is about, and whose it is.
package struct ExportIdentity: Sendable, Hashable {
    package var exportId: UUID
    package var ownerId: UUID

    package init(exportId: UUID, ownerId: UUID) {
        self.exportId = exportId
        self.ownerId = ownerId
    }

    init(_ object: JSONObject) throws(JSONError) {
        exportId = try object.uuid("exportId")
        ownerId = try object.uuid("ownerId")
    }

    var json: JSONObject { ["exportId": .uuid(exportId), "ownerId": .uuid(ownerId)] }
}

/// How long an export may take, and how long it can be fetched.
package struct ExportTerms: Sendable, Equatable {
    package var requestedAt: Timestamp
    /// Until when parts are waited for.
    package var deadline: Timestamp
    /// How long the archive can be fetched once it is ready, in seconds.
    package var lifetimeSeconds: Int64

    package init(requestedAt: Timestamp, deadline: Timestamp, lifetimeSeconds: Int64) {
        self.requestedAt = requestedAt
        self.deadline = deadline
        self.lifetimeSeconds = lifetimeSeconds
    }

    init(_ object: JSONObject) throws(JSONError) {
        requestedAt = try object.timestamp("requestedAt")
        deadline = try object.timestamp("deadline")
        lifetimeSeconds = try object.int("lifetimeSeconds")
    }

    var json: JSONObject {
        [
            "requestedAt": .time(requestedAt), "deadline": .time(deadline),
            "lifetimeSeconds": .int(lifetimeSeconds),
        ]
    }
}

/// What a service has written for an export, as far as rules and lists need it.
package struct ExportPart: Sendable, Hashable {
    /// The document that names its files; nil when the service has nothing.
    package var index: DocumentReference?
    /// How many files there are.
    package var files: Int64
    /// How many bytes these have.
    package var sizeBytes: Int64

    package init(index: DocumentReference?, files: Int64, sizeBytes: Int64) {
        self.index = index
        self.files = files
        self.sizeBytes = sizeBytes
    }

    init(_ object: JSONObject) throws(JSONError) {
        index = try object.optionalObject("index").map(DocumentReference.init)
        files = try object.int("files")
        sizeBytes = try object.int("sizeBytes")
    }

    var json: JSONObject {
        JSONObject().adding([
            "index": index.map { .object($0.json) }, "files": .int(files), "sizeBytes": .int(sizeBytes),
        ])
    }
}

/// Why an export that was ready is over.
package enum ExportEnd: String, Sendable, CaseIterable {
    /// Its time was over.
    case expired
    /// Its owner did not want it any more.
    case deleted
}

/// What happened to an export.
package enum ExportEvent: Sendable, Equatable {
    case requested(ExportIdentity, ExportTerms)
    /// A service has written its part.
    case partReceived(ExportIdentity, service: String, ExportPart)
    /// All parts are there.
    case ready(ExportIdentity, readyAt: Timestamp, expiresAt: Timestamp)
    /// The deadline has passed and parts are missing, those of these services; or none is missing and it is too large for an archive.
    case failed(ExportIdentity, missing: [String])
    /// The archive is gone.
    case closed(ExportIdentity, ExportEnd)

    /// Which export it is.
    package var export: ExportIdentity {
        switch self {
        case .requested(let export, _), .partReceived(let export, _, _), .ready(let export, _, _),
            .failed(let export, _), .closed(let export, _):
            export
        }
    }

    var type: EventType {
        switch self {
        case .requested: EventType("ExportRequested")
        case .partReceived: EventType("ExportPartReceived")
        case .ready: EventType("ExportReady")
        case .failed: EventType("ExportFailed")
        case .closed: EventType("ExportClosed")
        }
    }

    var data: JSONObject {
        switch self {
        case .requested(let export, let terms): export.json.adding(membersOf: terms.json)
        case .partReceived(let export, let service, let part):
            export.json.adding(["service": .string(service)]).adding(membersOf: part.json)
        case .ready(let export, let readyAt, let expiresAt):
            export.json.adding(["readyAt": .time(readyAt), "expiresAt": .time(expiresAt)])
        case .failed(let export, let missing):
            export.json.adding(["missing": .array(missing.map(JSONValue.string))])
        case .closed(let export, let end): export.json.adding(["end": .string(end.rawValue)])
        }
    }

    /// The event; nil for a name that is not of an export.
    static func read(_ name: String, _ data: JSONObject) throws(JSONError) -> ExportEvent? {
        switch name {
        case "ExportRequested": return .requested(try ExportIdentity(data), try ExportTerms(data))
        case "ExportPartReceived":
            return .partReceived(
                try ExportIdentity(data), service: try data.string("service"), try ExportPart(data))
        case "ExportReady":
            return .ready(
                try ExportIdentity(data), readyAt: try data.timestamp("readyAt"),
                expiresAt: try data.timestamp("expiresAt"))
        case "ExportFailed":
            return .failed(
                try ExportIdentity(data), missing: try data.array("missing").compactMap(\.stringValue))
        case "ExportClosed":
            guard let end = ExportEnd(rawValue: try data.string("end")) else {
                throw JSONError(.type, at: "end", "must be an end that this build knows")
            }
            return .closed(try ExportIdentity(data), end)
        default: return nil
        }
    }
}
