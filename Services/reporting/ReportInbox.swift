import Contracts
import EventConsumer
import EventSourcing
import EventStore
import JSON
import Primitives
import Runtime
import ServiceKit

/// Brings the messages of other services to reports; for a completed analysis it reads the document first.
@Loop final class ReportInbox: MessageHandler {
    private let store: EventStore
    private let documents: ReportDocuments
    private let reports: CommandHandler<Report>
    /// Handles everything that needs no document.
    private let plain: ReactionHandler<Report>

    init(_ store: EventStore, _ documents: ReportDocuments) {
        self.store = store
        self.documents = documents
        reports = CommandHandler(store)
        plain = ReactionHandler(
            Report.self, store: store, service: .reporting,
            react: { message in
                guard case .reaction(let reaction) = try ReportReactions.reply(to: message.incoming) else {
                    return .ignore
                }
                return reaction
            },
            rows: { _, events in events.compactMap { ReportRows.removal($0) } },
            // What was announced stands: the analysis that is made again finds the report written.
            takeBack: { _ in .ignore },
            erase: { subject, message, calls in
                try await ReportErasure(store).erase(subject, because: message, calls)
            })
    }

    func isErasure(_ message: ReceivedMessage) -> Bool { plain.isErasure(message) }

    func orphan(_ event: RecordedEvent) async throws { try await plain.orphan(event) }

    func handle(_ message: ReceivedMessage, calls: [RowCall]) async throws {
        guard case .read(let completed) = try ReportReactions.reply(to: message.incoming) else {
            return try await plain.handle(message, calls: calls)
        }
        try await write(completed, message, calls)
    }

    /// Checks the document and keeps its report in the append that says it is there, so that nobody hears of a report
    /// that cannot be read.
    private func write(_ completed: AnalysisCompleted, _ message: ReceivedMessage, _ calls: [RowCall]) async throws {
        let stream = Report.stream(completed.sessionId)
        // An unwanted report's document may be gone already; it is not looked for.
        guard try await reports.load(stream).state == .absent else { return }
        let document = try await documents.report(completed.document)
        do {
            _ = try await reports.handle(
                ReportReactions.command(for: completed, document: document), on: stream, id: message.appendID,
                requestHash: message.incoming.id.bytes,
                metadata: message.metadata(actor: ServiceName.reporting.rawValue)
            ) { _, events in
                calls + events.compactMap { ReportRows.writing($0, document ?? [:]) }
            }
        } catch AppendError.erased {
            // Late for an erased user: there is nothing left that it could concern.
        }
    }
}
