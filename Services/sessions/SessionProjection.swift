import Contracts
package import Primitives
import Projections

/// The list of sessions, folded from the service's own log; the same functions live and in a rebuild.
package enum SessionProjection: ReadModel {
    package static let name = "session_list"

    /// Finalizing is a tenth of the way, as the apps show it; the report is the last tenth.
    private static let finalizedPercent: Int64 = 10
    private static let analyzedPercent: Int64 = 90

    package static func keys(of event: SessionEvent) -> [UUID] {
        switch event {
        // Logged sessions have a list of their own.
        case .logged, .corrected, .withdrawn: []
        default: event.session.map { [$0.sessionId] } ?? []
        }
    }

    package static func evolve(
        _ row: SessionRow?, _ event: SessionEvent, key: UUID, recordedAt: Timestamp
    ) -> SessionRow? {
        if case .created(let session, let creation) = event {
            return SessionRow(
                id: session.sessionId, ownerId: session.ownerId, kind: session.kind, createdAt: creation.createdAt,
                updatedAt: recordedAt, expiresAt: creation.expiresAt)
        }
        guard var row else { return nil }
        row.updatedAt = recordedAt
        switch event {
        case .created, .subjectErased, .reservationDeclined, .uploadStored, .logged, .corrected, .withdrawn,
            .handoverBegun, .handoverFinished, .retentionChosen, .uploadRemoved:
            break
        case .admitted: row.status = .awaitingUpload
        case .refused(_, let denial):
            row.status = .refused
            row.refusal = denial
        case .uploadFinalized(_, _, _, let deadline, _):
            row.status = .processing
            row.deadline = deadline
            row.progressPercent = max(row.progressPercent, finalizedPercent)
            row.waitingSince = recordedAt
        case .analysisStarted:
            // Another attempt begins over, and takes back neither stage nor progress.
            row.stage = row.stage ?? AnalysisStage.inOrder.first
            row.waitingSince = nil
        case .analysisProgressed(_, _, let stage, let percent):
            let whole = finalizedPercent + (analyzedPercent - finalizedPercent) * percent / 100
            let known = row.stage ?? AnalysisStage.inOrder.first
            row.stage = whole > row.progressPercent ? stage.next ?? known : known
            row.waitingSince = nil
            row.progressPercent = max(row.progressPercent, whole)
        case .mediaKept(_, _, let since, let until):
            row.mediaSince = since
            row.mediaUntil = until
        case .mediaRemoved:
            row.mediaSince = nil
            row.mediaUntil = nil
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
        if row.status.isFinal {
            row.stage = nil
            row.waitingSince = nil
        }
        return row
    }
}
