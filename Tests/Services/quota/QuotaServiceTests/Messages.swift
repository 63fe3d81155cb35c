import Contracts
import Primitives

/// One owner's messages about sessions.
struct Messages {
    var owner = UUID.v7()
    var zone = "Europe/Berlin"
    var kind = SessionKind.mirrormate

    func created(_ session: UUID, at moment: Timestamp = .now()) -> SessionCreated {
        SessionCreated(
            SessionIdentity(sessionId: session, ownerId: owner, kind: kind), timeZone: zone, createdAt: moment,
            expiresAt: moment.adding(seconds: 900))
    }

    func completed(_ session: UUID) -> SessionCompleted {
        SessionCompleted(SessionIdentity(sessionId: session, ownerId: owner, kind: kind))
    }

    func failed(_ session: UUID, _ code: FailureCode = .processingTimeout) -> SessionFailed {
        SessionFailed(
            SessionIdentity(sessionId: session, ownerId: owner, kind: kind), code: code,
            retryable: code == .processingTimeout)
    }

    func cancelled(_ session: UUID) -> SessionCancelled {
        SessionCancelled(SessionIdentity(sessionId: session, ownerId: owner, kind: kind), analysisStarted: false)
    }
}
