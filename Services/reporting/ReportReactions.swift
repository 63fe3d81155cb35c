import Coaching
package import Contracts
package import JSON
package import Primitives
import Runtime
package import ServiceKit

extension Report {
    /// What messages of other services mean here. Of a completed analysis the document is read and the report made before.
    package static let reactions = Reactions<Report, ReportingResources>(
        .on(
            AnalysisCompletedV2.self,
            lookingUp: { completed, found in
                let document = try await found.document(completed.document)
                let before = try await found.lastReports(completed.ownerId)
                let mayWait = try await found.mayBeWorded(completed.ownerId)
                // A few thousand words would hold up every other request.
                return try await Offload.shared.run {
                    let finding = AnalysisFinding(measured: document, of: completed.sessionId, after: before)
                    return mayWait ? finding.waiting : finding
                }
            },
            recalling: { _, events in AnalysisFinding(recalledFrom: events.first) }
        ) { completed, finding in keep(finding, completed.reference, completed.document) },
        .on(
            AnalysisCompleted.self,
            lookingUp: { completed, found in AnalysisFinding(ready: try await found.document(completed.document)) },
            recalling: { _, events in AnalysisFinding(recalledFrom: events.first) }
        ) { completed, finding in keep(finding, completed.reference, completed.document) },
        .on(
            SessionCreated.self, lookingUp: { created, found in try await found.recording(created) },
            recalling: { created, events in Recording(recalledFrom: events.first, of: created) }
        ) { created, recording in
            .apply(stream(created.sessionId), .learn(ReportIdentity(created.reference), recording))
        },
        .on(SessionCancelled.self) { discard($0, .cancelled) },
        .on(SessionFailed.self) { discard($0, .failed) },
        .on(SessionExpired.self) { discard($0, .expired) },
        .on(SessionDeleted.self) { discard($0, .deleted) },
        .on(SessionLogged.self) { count($0, $0.time) },
        .on(SessionCorrected.self) { count($0, $0.time) },
        .on(SessionWithdrawn.self) { message in
            let day = PracticeDayIdentity(message.session, message.time.day)
            return .apply(day.stream, .withdraw(day, sessionId: message.sessionId))
        },
        .on(MediaKept.self) { learn($0, keptUntil: $0.until) },
        .on(MediaRemoved.self) { learn($0, keptUntil: nil) },
        .on(UploadFinalized.self) {
            .apply(stream($0.sessionId), .noteUpload(ReportIdentity($0.reference), sizeBytes: $0.media.sizeBytes))
        },
        .erasure,
        .consent,
        .consentWithdrawal,
        .handover,
        .onExportPart(by: .identity),
        .onExportPart(by: .sessions),
        .onExportPart(by: .quota),
        ignoring: [
            // A report begins with the findings of an analysis.
            SessionCompleted.type,
            AnalysisStarted.type, AnalysisProgressed.type, AnalysisFailed.type,
            UserRegistered.type, UserProfileChanged.type,
            // What a device's secret opens ends with its login sessions.
            DeviceSecretRevoked.type,
            // Of quota only its part of an export is wanted.
            QuotaReserved.type, QuotaReservedV2.type, QuotaRefused.type, QuotaCommitted.type, QuotaReleased.type,
            PlanChanged.type,
        ])

    private static func keep(
        _ finding: AnalysisFinding, _ session: SessionReference, _ document: DocumentReference
    ) -> Reaction<ReportCommand> {
        let report = ReportIdentity(session)
        return switch finding {
        case .report(let summary, let wording, let basis, let content):
            .apply(
                stream(session.sessionId),
                .write(report, document: document, summary, wording, basis, content: content))
        case .draft(let draft, let content):
            .apply(
                stream(session.sessionId),
                .wording(
                    .draft(
                        report, ReportDraft(document, draft.summary, draft.wording, draft.basis), content: content)))
        case .unusable(let code): .apply(stream(session.sessionId), .fail(report, code))
        }
    }

    private static func learn(_ message: some SessionMessage, keptUntil until: Timestamp?) -> Reaction<ReportCommand> {
        .apply(stream(message.sessionId), .learnRetention(ReportIdentity(message.reference), until: until))
    }

    private static func count(_ message: some SessionKindMessage, _ time: PracticeTime) -> Reaction<ReportCommand> {
        let day = PracticeDayIdentity(message.session, time.day)
        return .apply(day.stream, .count(day, sessionId: message.sessionId, time))
    }

    private static func discard(_ message: some SessionMessage, _ reason: DiscardReason) -> Reaction<ReportCommand> {
        .apply(stream(message.sessionId), .discard(ReportIdentity(message.reference), reason))
    }
}

/// What analysis left behind for a report.
package enum AnalysisFinding: Sendable, Equatable {
    /// What events carry of a report.
    package struct Figures: Sendable, Equatable {
        package var summary: ReportSummary
        package var wording: ReportWording?
        package var basis: ReportBasis?
    }

    /// A report, with what events carry of it.
    case report(ReportSummary, ReportWording?, ReportBasis?, content: JSONObject)
    /// A report that a provider may word first.
    case draft(Figures, content: JSONObject)
    /// The document is not there, is another one, or no report can be made of it.
    case unusable(FailureCode)

    /// - Parameter document: one that has a ready report; nil when it is not there or is another one than analysis said.
    package init(ready document: JSONObject?) {
        self.init(document) { (document) throws(JSONError) in try document.object("report") }
    }

    /// Makes the report.
    ///
    /// - Parameters:
    ///   - document: one that has what was measured; nil when it is not there or is another one than analysis said.
    ///   - before: the owner's last reports.
    package init(measured document: JSONObject?, of session: UUID, after before: ReportsBefore) {
        self.init(document) { (document) throws(JSONError) in
            let language = Language.english
            return ReportBuilder.report(
                try MeasurementDocument(document), session: session, language: language,
                previous: before.wording?.language == language.rawValue ? before.wording?.variants ?? [:] : [:])
        } adding: { summary, wording, basis in
            // Whose it is, and when it will be written, is of no consequence.
            let identity = ReportIdentity(sessionId: session, ownerId: .zero)
            return before.members(
                of: ReportHistoryRow(
                    sessionId: session, reportId: identity.reportId, ownerId: identity.ownerId, createdAt: .epoch,
                    summary: summary, wording: wording, basis: basis, recording: nil))
        }
    }

    /// - Parameter members: what a report that can be read says besides.
    private init(
        _ document: JSONObject?, _ read: (JSONObject) throws(JSONError) -> JSONObject,
        adding members: (ReportSummary, ReportWording?, ReportBasis?) -> JSONObject = { _, _, _ in [:] }
    ) {
        guard let document else {
            self = .unusable(.reportMissing)
            return
        }
        do throws(JSONError) {
            let report = try read(document)
            let summary = try ReportSummary(report: report)
            let wording = try ReportWording(report: report)
            let basis = ReportBasis(report: report)
            self = .report(
                summary, wording, basis, content: report.adding(membersOf: members(summary, wording, basis)))
        } catch {
            self = .unusable(.reportUnreadable)
        }
    }

    /// The same of a report that a provider may word; of what has nothing to be worded, itself.
    var waiting: AnalysisFinding {
        guard case .report(let summary, let wording, let basis, let content) = self, WordingQuestion(content) != nil
        else { return self }
        return .draft(Figures(summary: summary, wording: wording, basis: basis), content: content)
    }

    /// The finding that led to an event, without the texts, which no event carries; nil when the event tells of none.
    init?(recalledFrom event: ReportEvent?) {
        switch event {
        case .written(_, _, let summary, let wording, let basis, _):
            self = .report(summary, wording, basis, content: [:])
        case .wording(.drafted(_, let draft)):
            self = .draft(
                Figures(summary: draft.summary, wording: draft.wording, basis: draft.basis), content: [:])
        case .wording: return nil
        case .failed(_, let code): self = .unusable(code)
        case .recordingLearned, .deleted, .erased, .practiceCounted, .practiceWithdrawn, .practiceForgotten,
            .graceChanged, .dayFrozen, .dayThawed, .milestoneReached, .subjectErased, nil:
            return nil
        case .goalSet, .goalMet, .goalMissed, .goalDropped, .reportShared, .shareRevoked, .uploadNoted, .export:
            return nil
        case .retentionLearned: return nil
        }
    }
}
