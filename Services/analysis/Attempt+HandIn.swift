import Coaching
import Contracts
import JSON
import Measuring
import Observability
import Primitives
import Runtime
import ServiceKit

extension Attempt {
    /// Makes a report of what was measured and completes the job with its document.
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
        let took = (ContinuousClock.now - claim.began).milliseconds
        let result = JobResult(document: document.reference(key), durationMs: took, engines: document.engines)
        do {
            try await claim.desk.handIn(
                document.bytes, as: key, of: job.ownerId, purpose: "analysis-document", limit: .seconds(120),
                to: tools.objects, log: tools.log, with: .complete(attempt: claim.number, result: result),
                written: { CrashPoint.reached("analysis.after-document") })
        } catch is HandInFailure {
            return .storageFailed
        }
        tools.log.info(
            "job is complete",
            ["session": .uuid(sessionId), "attempt": .int(claim.number), "durationMs": .int(took)])
        CrashPoint.reached("analysis.after-complete-append")
        return nil
    }
}
