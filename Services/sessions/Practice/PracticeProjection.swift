import Contracts
package import Primitives
import Projections

/// The list of logged sessions, folded from the service's own log; the same functions live and in a rebuild.
package enum PracticeProjection: ReadModel {
    package static let name = "practice_log"

    package static func keys(of event: SessionEvent) -> [UUID] {
        switch event {
        case .logged(let session, _), .corrected(let session, _), .withdrawn(let session, _, _),
            .erased(let session):
            [session.sessionId]
        case .created, .admitted, .refused, .reservationDeclined, .uploadStored, .uploadFinalized, .analysisStarted,
            .analysisProgressed, .completed, .failed, .cancelled, .expired, .deleted, .handoverBegun,
            .handoverFinished, .subjectErased, .mediaKept, .mediaRemoved, .retentionChosen,
            .uploadRemoved:
            []
        }
    }

    package static func evolve(
        _ row: PracticeRow?, _ event: SessionEvent, key: UUID, recordedAt: Timestamp
    ) -> PracticeRow? {
        switch event {
        case .logged(let session, let practice), .corrected(let session, let practice):
            PracticeRow(
                id: key, ownerId: session.ownerId, kind: session.kind, practice: practice,
                loggedAt: row?.loggedAt ?? recordedAt, updatedAt: recordedAt)
        // It comes back with the next event.
        case .withdrawn(_, _, .moved), .withdrawn(_, _, .handedOver): row
        case .withdrawn, .erased: nil
        case .created, .admitted, .refused, .reservationDeclined, .uploadStored, .uploadFinalized, .analysisStarted,
            .analysisProgressed, .completed, .failed, .cancelled, .expired, .deleted, .handoverBegun,
            .handoverFinished, .subjectErased, .mediaKept, .mediaRemoved, .retentionChosen,
            .uploadRemoved:
            row
        }
    }
}
