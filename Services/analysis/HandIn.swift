import Contracts
import EventStore
import JSON
import ObjectStorage
import Observability
import Primitives
import Runtime

extension Attempt {
    /// Until when the document of an attempt must be in use; the sweeper removes it afterwards.
    private static let writingLimit = Duration.seconds(120)

    /// Writes the document and completes the job: intent, bytes, outcome.
    ///
    /// - Returns: why the attempt has failed, if so.
    /// - Throws: the refusal of a superseded attempt, after its document was discarded.
    func handIn(_ measured: JSONObject, _ claim: Claim) async throws -> FailureCode? {
        let job = claim.job
        let at = claim.claimedAt
        let made = try? await Offload.shared.run {
            try ReportDocument(sessionId: job.sessionId, createdAt: at, measured: measured)
        }
        guard let document = made else { return .analysisUnreadable }
        let key = "documents/\(job.ownerId)/\(job.sessionId)/\(UUID.v7()).json"
        try await intend(key, claim)
        do {
            try await tools.objects.write(document.bytes, to: key)
            CrashPoint.reached("analysis.after-document")
            try await complete(document, key, claim)
            CrashPoint.reached("analysis.after-complete-append")
            return nil
        } catch {
            await discard(key, claim)
            switch error {
            case is ObjectStoreError: return .storageFailed
            // The sweeper was faster: the deadline had passed.
            case AppendError.guarded("object-not-intended"): return .storageFailed
            default: throw error
            }
        }
    }

    private func intend(_ key: String, _ claim: Claim) async throws {
        _ = try await claim.desk.persisting { _ in
            let deadline = try await JobDesk.now(claim.desk.store) + Self.writingLimit
            let intent = RowCall(
                "intend_object",
                [
                    "key": .string(key), "subject": .uuid(claim.job.ownerId), "purpose": "analysis-document",
                    "deadline": .time(deadline),
                ])
            do {
                try await claim.desk.write([intent])
            } catch AppendError.data("object_intents_pkey") {
                // The key is fresh, so it was this attempt itself, whose answer was lost.
            }
            return true
        }
    }

    private func complete(_ document: ReportDocument, _ key: String, _ claim: Claim) async throws {
        let took = ContinuousClock.now - claim.began
        let result = JobResult(
            document: document.reference(key), durationMs: took.milliseconds, engines: document.engines)
        _ = try await claim.desk.persisting { id in
            try await claim.desk.put(.complete(attempt: claim.number, result: result), id: id) { events in
                events.isEmpty ? [] : [RowCall("keep_object", ["key": .string(key)])]
            }.version
        }
        tools.log.info(
            "job is complete",
            [
                "session": .uuid(claim.job.sessionId), "attempt": .int(claim.number),
                "durationMs": .int(result.durationMs),
            ])
    }

    /// Gives the document up: the row says so first, so that it is removed even if this process dies.
    private func discard(_ key: String, _ claim: Claim) async {
        do {
            try await claim.desk.write([RowCall("discard_object", ["key": .string(key)])], thoughErased: true)
            try await tools.objects.delete(key)
        } catch {
            // Its deadline does the same a little later.
            tools.log.info("document is left to the sweeper", ["reason": .string("\(error)")])
        }
    }
}
