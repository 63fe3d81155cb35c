package import EventSourcing
package import Primitives

/// Where an append ended up.
package struct AppendReceipt: Sendable, Equatable {
    /// The position of its first event; 0 when it had none.
    package let position: Int64
    /// When it was recorded, by PostgreSQL's clock.
    package let recordedAt: Timestamp
    /// Whether this was a repeat and the answer is the first one's.
    package let isRepeat: Bool

    package init(position: Int64, recordedAt: Timestamp, isRepeat: Bool) {
        self.position = position
        self.recordedAt = recordedAt
        self.isRepeat = isRepeat
    }
}

/// Why an append was not accepted.
package enum AppendError: Error, Sendable, Equatable, CustomStringConvertible {
    /// A stream has moved on; read it again and decide again.
    case conflict(StreamName, actualVersion: Int64)
    /// The id was used before for another request.
    case idReused
    /// The subject has been erased; nothing may be added on its behalf.
    case erased
    /// A guard refused it.
    case guarded(RowRefusal)
    /// Another append of its group was refused.
    case groupRefused
    /// The data violates a constraint (its name) or a limit of the log, or a row function does not fit the schema
    /// (`PostgresError.reason`).
    case data(String)
    /// The store refuses all appends, because log and topic disagree (see the operations guide on restore).
    case storeRefused(String)
    /// The database could not be reached in time. Whether the append took effect is unknown; repeat it with the same id.
    case unavailable

    package var description: String {
        switch self {
        case .conflict(let stream, let version): "The stream \(stream) is already at version \(version)."
        case .idReused: "This id was used before for another request; use a new one."
        case .erased: "The subject has been erased."
        case .guarded(let refusal): "A guard refused the append: \(refusal)."
        case .groupRefused: "Another append of the same group was refused."
        case .data(let constraint): "The data was refused: \(constraint)."
        case .storeRefused(let reason): "The store refuses appends: \(reason)"
        case .unavailable: "The database cannot be reached; repeat the request with the same id."
        }
    }
}
