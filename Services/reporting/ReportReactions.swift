package import Contracts
package import JSON
import Primitives

/// What messages of other services mean here.
package enum ReportReactions {
    /// What a message of another service asks for.
    package enum Reply: Sendable, Equatable {
        /// As for every service.
        case reaction(Reaction<ReportCommand>)
        /// Read the document first, and put ``command(for:document:)`` to the report's stream.
        case read(AnalysisCompleted)
    }

    /// What a message means.
    ///
    /// Unknown types and versions, and messages that do not concern reports, are ignored.
    ///
    /// - Throws: which member of a known message is missing or of another form; the caller parks the message.
    package static func reply(to message: Incoming) throws(JSONError) -> Reply {
        switch message.type {
        case AnalysisCompleted.type: return .read(try message.read(AnalysisCompleted.self))
        case SessionCancelled.type: return discard(try message.read(SessionCancelled.self), .cancelled)
        case SessionFailed.type: return discard(try message.read(SessionFailed.self), .failed)
        case SessionExpired.type: return discard(try message.read(SessionExpired.self), .expired)
        case SessionDeleted.type: return discard(try message.read(SessionDeleted.self), .deleted)
        case UserErased.type: return .reaction(.erase(subject: try message.read(UserErased.self).userId))
        default: return .reaction(.ignore)
        }
    }

    /// The command for a completed analysis with its document, or without one when it is not there or another one.
    package static func command(for completed: AnalysisCompleted, document: JSONObject?) -> ReportCommand {
        let report = ReportIdentity(completed.reference)
        guard let document else { return .fail(report, .reportMissing) }
        do throws(JSONError) {
            return .write(report, document: completed.document, try ReportSummary(report: document))
        } catch {
            return .fail(report, .reportUnreadable)
        }
    }

    /// What to do about an effect whose message the restored store of another service no longer knows: nothing. A
    /// report that was announced stands, and the analysis that is made again finds it written.
    package static func reaction(toOrphaned _: Incoming) -> Reaction<ReportCommand> { .ignore }

    private static func discard(_ message: some SessionMessage, _ reason: DiscardReason) -> Reply {
        .reaction(.apply(Report.stream(message.sessionId), .discard(ReportIdentity(message.reference), reason)))
    }
}
