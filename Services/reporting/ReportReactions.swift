package import Contracts
package import JSON
package import ServiceKit

extension Report {
    /// What messages of other services mean here. Of a completed analysis the document is read before.
    package static let reactions = Reactions<Report, ReportingResources>(
        .on(
            AnalysisCompleted.self,
            lookingUp: { completed, found in AnalysisFinding(document: try await found.document(completed.document)) },
            recalling: { _, events in AnalysisFinding(recalledFrom: events.first) }
        ) { completed, finding in
            let report = ReportIdentity(completed.reference)
            return switch finding {
            case .report(let summary, let content):
                .apply(
                    stream(completed.sessionId),
                    .write(report, document: completed.document, summary, content: content))
            case .unusable(let code): .apply(stream(completed.sessionId), .fail(report, code))
            }
        },
        .on(SessionCancelled.self) { discard($0, .cancelled) },
        .on(SessionFailed.self) { discard($0, .failed) },
        .on(SessionExpired.self) { discard($0, .expired) },
        .on(SessionDeleted.self) { discard($0, .deleted) },
        .erasure,
        ignoring: [
            // A report begins with the findings of an analysis.
            SessionCreated.type, UploadFinalized.type, SessionCompleted.type,
            AnalysisStarted.type, AnalysisProgressed.type, AnalysisFailed.type,
            UserRegistered.type, UserProfileChanged.type,
        ])

    private static func discard(_ message: some SessionMessage, _ reason: DiscardReason) -> Reaction<ReportCommand> {
        .apply(stream(message.sessionId), .discard(ReportIdentity(message.reference), reason))
    }
}

/// What analysis left behind for a report.
package enum AnalysisFinding: Sendable, Equatable {
    /// A report, with the numbers that events carry of it.
    case report(ReportSummary, content: JSONObject)
    /// The document is not there, is another one, or is no report.
    case unusable(FailureCode)

    /// - Parameter document: the report of a document; empty when the document is no such thing, nil when it is not there
    ///   or is another one than analysis said.
    package init(document: JSONObject?) {
        guard let document else {
            self = .unusable(.reportMissing)
            return
        }
        do throws(JSONError) {
            self = .report(try ReportSummary(report: document), content: document)
        } catch {
            self = .unusable(.reportUnreadable)
        }
    }

    /// The finding that led to an event, without the texts, which no event carries; nil when the event tells of none.
    init?(recalledFrom event: ReportEvent?) {
        switch event {
        case .written(_, _, let summary): self = .report(summary, content: [:])
        case .failed(_, let code): self = .unusable(code)
        case .deleted, .erased, .subjectErased, nil: return nil
        }
    }
}
