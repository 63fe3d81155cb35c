import Contracts
import EventSourcing
import JSON
import ObjectStorage
import Primitives
import Runtime
import ServiceTesting
import Testing

@testable import reporting

enum ReportingStory: Story {
    static func variables(_ folder: String) -> [String: String] { ["OBJECT_STORE": "file://\(folder)"] }

    static func tell(_ stage: Stage<ReportingService>) async throws {
        try await stage.hear(
            .identity, "SigningKeyPublished", about: World.signingKey, becomes: ["SigningKeyLearned"])
        for session in [World.completed, World.deletedComplete] {
            try await store(session, stage)
            try await stage.hear(.analysis, "AnalysisCompleted", about: session, becomes: ["ReportWritten"])
        }
        // Its document is not there.
        try await stage.hear(.analysis, "AnalysisCompleted", about: World.unreported, becomes: ["ReportFailed"])
        try await stage.hear(.sessions, "SessionFailed", about: World.unreported, becomes: [])
        for (name, session) in [
            ("SessionDeleted", World.deletedComplete), ("SessionCancelled", World.cancelled),
            ("SessionFailed", World.failed), ("SessionExpired", World.expired),
        ] {
            try await stage.hear(.sessions, name, about: session, becomes: ["ReportDeleted"])
        }
        try await stage.hear(
            .identity, "UserErased", about: World.ada, becomes: ["ReportErased", "SubjectErased"])
        try await stage.hear(
            .identity, "SigningKeyRetired", about: World.signingKey, becomes: ["SigningKeyRetirementLearned"])
        try await stage.hearSigned(erasing: [])
        try await store(World.measured, stage)
        try await stage.hear(
            .analysis, "AnalysisCompleted", version: 2, about: World.measured, becomes: ["ReportWritten"])
    }

    /// Puts the document of an analysis where the service looks for it.
    private static func store(_ session: UUID, _ stage: Stage<ReportingService>) async throws {
        let bytes = World.bytes(of: session)
        let writer = try await FileObjectStore(root: stage.folder.path).makeWriter(
            World.document(of: session).key, size: Int64(bytes.count))
        try await writer.write(bytes)
        try await writer.commit()
    }

    static func rewrite(_ type: EventType, _ data: JSONObject) throws -> (EventType, JSONObject) {
        try rewritten(ReportEvent.self, type, data)
    }

}
