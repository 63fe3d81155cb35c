package import Contracts
package import JSON
package import Primitives

/// What can be asked of a session's report.
package enum ReportCommand: Sendable, Equatable {
    /// There is a report: keep it. The content becomes a row; the event carries numbers alone.
    ///
    /// - document: what it was made of, or came in.
    case write(
        ReportIdentity, document: DocumentReference, ReportSummary, ReportWording?, ReportBasis?, content: JSONObject)
    /// Its session was begun, then and there.
    case learn(ReportIdentity, Recording)
    /// No report can be made of the document.
    case fail(ReportIdentity, FailureCode)
    /// The session has ended otherwise or was removed: nobody wants the report.
    case discard(ReportIdentity, DiscardReason)

    /// Something about a report that a provider may word.
    case wording(WordingCommand)

    /// The recording of the session has come.
    case noteUpload(ReportIdentity, sizeBytes: Int64)

    // Logged sessions, which are counted by local day.

    /// A session counts on a day, as this says.
    case count(PracticeDayIdentity, sessionId: UUID, PracticeTime)
    /// A session does not count on a day any more.
    case withdraw(PracticeDayIdentity, sessionId: UUID)
    /// The recording of its session is kept until then; nil when it is kept no longer.
    case learnRetention(ReportIdentity, until: Timestamp?)

    // Erasure.

    /// The owner is erased: forget the report, or the day's sessions.
    case erase
    /// Everything of an erased user is gone; put to the stream `subject-<user id>`.
    case recordErasure(subject: UUID, removed: SubjectErased.Removed)
}

/// Which report it is, and whose.
package struct ReportIdentity: Sendable, Equatable {
    /// The session that it reports on; it names the report's stream.
    package var sessionId: UUID
    package var ownerId: UUID

    package init(sessionId: UUID, ownerId: UUID) {
        self.sessionId = sessionId
        self.ownerId = ownerId
    }

    init(_ session: SessionReference) { self.init(sessionId: session.sessionId, ownerId: session.ownerId) }

    /// The session as messages name it.
    var reference: SessionReference { SessionReference(sessionId: sessionId, ownerId: ownerId) }

    /// The report's own id, derived from the session's: a session has one report.
    package var reportId: UUID { .v5(namespace: sessionId, name: "report") }
}
