import Contracts
import Primitives

/// One owner's messages about sessions.
struct Messages {
    var owner = UUID.v7()
    var zone = "Europe/Berlin"

    func created(_ session: UUID, at moment: Timestamp = .now()) -> SessionCreated {
        SessionCreated(
            sessionId: session, ownerId: owner, kind: .mirrormate, timeZone: zone, createdAt: moment,
            expiresAt: moment.adding(seconds: 900))
    }

    func completed(_ session: UUID) -> SessionCompleted {
        SessionCompleted(sessionId: session, ownerId: owner, kind: .mirrormate)
    }

    func failed(_ session: UUID) -> SessionFailed {
        SessionFailed(
            sessionId: session, ownerId: owner, kind: .mirrormate, code: .processingTimeout, retryable: true)
    }

    func cancelled(_ session: UUID) -> SessionCancelled {
        SessionCancelled(sessionId: session, ownerId: owner, kind: .mirrormate, analysisStarted: false)
    }
}
