package import Contracts
package import JSON
import Primitives

/// What messages of other services mean here.
package enum JobReactions {
    /// The command that a message becomes.
    ///
    /// Unknown types and versions, kinds that are not analysed, and messages that do not concern jobs, are ignored.
    ///
    /// - Throws: which member of a known message is missing or of another form; the caller parks the message.
    package static func reaction(to message: Incoming) throws(JSONError) -> Reaction<JobCommand> {
        switch message.type {
        case UploadFinalized.type:
            let content = try message.read(UploadFinalized.self)
            guard content.kind == .mirrormate else { return .ignore }
            let order = JobOrder(
                kind: content.kind, media: content.media, maxDurationSeconds: content.maxDurationSeconds)
            let job = JobIdentity(sessionId: content.sessionId, ownerId: content.ownerId)
            return .apply(Job.stream(content.sessionId), .queue(job, order))
        case SessionCancelled.type:
            let content = try message.read(SessionCancelled.self)
            return cancel(content.sessionId, content.ownerId, .cancelled)
        case SessionFailed.type:
            let content = try message.read(SessionFailed.self)
            return cancel(content.sessionId, content.ownerId, .failed)
        case SessionExpired.type:
            let content = try message.read(SessionExpired.self)
            return cancel(content.sessionId, content.ownerId, .expired)
        case SessionDeleted.type:
            let content = try message.read(SessionDeleted.self)
            return cancel(content.sessionId, content.ownerId, .deleted)
        case UserErased.type: return .erase(subject: try message.read(UserErased.self).userId)
        default: return .ignore
        }
    }

    /// What to do about an effect whose message the restored store of another service no longer knows: nobody waits
    /// for the analysis of a recording that `sessions` has forgotten. An ending stands.
    package static func reaction(toOrphaned message: Incoming) throws(JSONError) -> Reaction<JobCommand> {
        guard message.type == UploadFinalized.type else { return .ignore }
        let content = try message.read(UploadFinalized.self)
        guard content.kind == .mirrormate else { return .ignore }
        return cancel(content.sessionId, content.ownerId, .orphaned)
    }

    private static func cancel(_ sessionId: UUID, _ ownerId: UUID, _ reason: CancelReason) -> Reaction<JobCommand> {
        .apply(Job.stream(sessionId), .cancel(JobIdentity(sessionId: sessionId, ownerId: ownerId), reason))
    }
}
