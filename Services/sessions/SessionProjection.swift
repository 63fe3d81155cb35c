package import Contracts
package import Primitives

/// A line of the list of sessions.
package struct SessionRow: Sendable, Equatable {
    /// What clients see of a session's life; the raw value stands in the API.
    package enum Status: String, Sendable, CaseIterable {
        case queued, awaitingUpload, processing, complete, error, cancelled, expired, refused

        /// Whether nothing follows any more.
        package var isFinal: Bool {
            switch self {
            case .queued, .awaitingUpload, .processing: false
            case .complete, .error, .cancelled, .expired, .refused: true
            }
        }
    }

    package var id: UUID
    package var ownerId: UUID
    package var kind: SessionKind
    package var status: Status = .queued
    /// How much of the whole is done, 0 to 100; never goes back.
    package var progressPercent: Int64 = 0
    package var createdAt: Timestamp
    /// When the newest event was recorded.
    package var updatedAt: Timestamp
    /// When it expires; kept after that has lost its meaning.
    package var expiresAt: Timestamp
    /// When processing is given up; set by finalizing.
    package var deadline: Timestamp?
    package var reportId: UUID?
    /// For `error`: the stable code.
    package var errorCode: FailureCode?
    /// For `error`: whether another try may succeed.
    package var errorRetryable: Bool?
    /// For `refused`: why.
    package var refusal: QuotaDenial?
}

/// The fold of the service's own log into the list of sessions; the same functions live and in a rebuild.
package enum SessionProjection {
    /// Finalizing is a tenth of the way, as the apps show it; the report is the last tenth.
    private static let finalizedPercent: Int64 = 10
    private static let analysedPercent: Int64 = 90

    /// The rows that an event changes: their session ids.
    package static func keys(of event: SessionEvent) -> [UUID] {
        event.session.map { [$0.sessionId] } ?? []
    }

    /// The row after an event; nothing when there is no row any more.
    ///
    /// - Parameters:
    ///   - row: the row before it.
    ///   - recordedAt: when the event was recorded.
    package static func evolve(_ row: SessionRow?, _ event: SessionEvent, recordedAt: Timestamp) -> SessionRow? {
        if case .created(let session, let creation) = event {
            return SessionRow(
                id: session.sessionId, ownerId: session.ownerId, kind: session.kind, createdAt: creation.createdAt,
                updatedAt: recordedAt, expiresAt: creation.expiresAt)
        }
        guard var row else { return nil }
        row.updatedAt = recordedAt
        switch event {
        case .created, .subjectErased, .reservationDeclined, .uploadStored, .analysisStarted: break
        case .admitted: row.status = .awaitingUpload
        case .refused(_, let denial):
            row.status = .refused
            row.refusal = denial
        case .uploadFinalized(_, _, _, let deadline):
            row.status = .processing
            row.deadline = deadline
            row.progressPercent = max(row.progressPercent, finalizedPercent)
        case .analysisProgressed(_, _, _, let percent):
            let whole = finalizedPercent + (analysedPercent - finalizedPercent) * percent / 100
            row.progressPercent = max(row.progressPercent, whole)
        case .completed(_, let reportId):
            row.status = .complete
            row.progressPercent = 100
            row.reportId = reportId
        case .failed(_, let code, let retryable):
            row.status = .error
            row.errorCode = code
            row.errorRetryable = retryable
        case .cancelled: row.status = .cancelled
        case .expired: row.status = .expired
        case .deleted, .erased: return nil
        }
        return row
    }
}
