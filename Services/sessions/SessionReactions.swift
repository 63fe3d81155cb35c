package import Contracts
package import JSON

/// What messages of other services mean here.
package enum SessionReactions {
    /// The command that a message becomes.
    ///
    /// Unknown types and versions, and messages that do not concern sessions, are ignored.
    ///
    /// - Throws: which member of a known message is missing or of another form; the caller parks the message.
    package static func reaction(to message: Incoming) throws(JSONError) -> Reaction<SessionCommand> {
        switch message.type {
        case QuotaReserved.type:
            let content = try message.read(QuotaReserved.self)
            return .apply(Session.stream(content.sessionId), .quotaReserved(content))
        case QuotaRefused.type:
            let content = try message.read(QuotaRefused.self)
            return .apply(Session.stream(content.sessionId), .quotaRefused(content))
        case AnalysisStarted.type:
            let content = try message.read(AnalysisStarted.self)
            return .apply(Session.stream(content.sessionId), .analysisStarted(content))
        case AnalysisProgressed.type:
            let content = try message.read(AnalysisProgressed.self)
            return .apply(Session.stream(content.sessionId), .analysisProgressed(content))
        case AnalysisFailed.type:
            let content = try message.read(AnalysisFailed.self)
            return .apply(Session.stream(content.sessionId), .analysisFailed(content))
        case ReportReady.type:
            let content = try message.read(ReportReady.self)
            return .apply(Session.stream(content.sessionId), .reportReady(content))
        case ReportFailed.type:
            let content = try message.read(ReportFailed.self)
            return .apply(Session.stream(content.sessionId), .reportFailed(content))
        case UserErased.type: return .erase(subject: try message.read(UserErased.self).userId)
        default: return .ignore
        }
    }

    /// What to do about an effect whose message the restored store of another service no longer knows: nothing. An
    /// admission or an ending was told to the client and stands; the other services settle on the ending.
    package static func reaction(toOrphaned _: Incoming) -> Reaction<SessionCommand> { .ignore }
}
