import Contracts
import JSON
import Measuring
import ObjectStorage
import Observability
import Processes
import Runtime
import ServiceKit

extension Attempt {
    /// Runs the helper on the recording, in a folder of its own that is removed afterwards.
    func measure(_ claim: Claim) async -> MediaHelper.Finding {
        do {
            let folder = try await tools.scratch.makeFolder("\(sessionId)-\(claim.number)")
            let finding: MediaHelper.Finding
            do {
                finding = try await tools.objects.withFile(claim.order.media.key, in: folder) { file in
                    try await self.measure(claim, file, folder)
                }
            } catch {
                await tools.scratch.remove(folder)
                throw error
            }
            await tools.scratch.remove(folder)
            return finding
        } catch ObjectStoreError.missing, ObjectStoreError.badKey {
            return .failed(.mediaMissing, retryable: false)
        } catch let error as ProcessError {
            tools.log.error("media helper cannot be run", ["reason": .string(error.description)])
            return .failed(.helperMissing, retryable: true)
        } catch {
            tools.log.error("attempt has no files to work on", ["reason": .string("\(error)")])
            return .failed(.storageFailed, retryable: true)
        }
    }

    private func measure(_ claim: Claim, _ file: String, _ folder: String) async throws -> MediaHelper.Finding {
        if interruption != nil { return .failed(.analysisCrashed, retryable: true) }
        let longest = tools.settings.maxVideoSeconds
        // Some grace: a recording that was stopped by a timer is a little longer.
        let seconds = min(max((claim.order.maxDurationSeconds ?? longest) + 5, 5), longest)
        let helper = tools.settings.mediaHelper
        let child = try helper.start(input: file, scratch: folder, maxSeconds: seconds)
        self.child = child
        defer { self.child = nil }
        let timer = EventLoop.shared.schedule(after: tools.settings.grace + .seconds(seconds)) {
            self.interrupt(.overdue)
        }
        defer { EventLoop.shared.cancel(timer) }
        let began = ContinuousClock.now
        let finding = await helper.follow(child) { self.report($0, claim) }
        ProviderCalls.note(finding, took: ContinuousClock.now - began)
        _ = await lastStage?.result
        return finding
    }

    /// Tells of a stage, one after another and without holding the helper back. A lost one is no harm.
    private func report(_ name: String, _ claim: Claim) {
        guard let (stage, percent) = Self.stages[name] else { return }
        let before = lastStage
        lastStage = Loop.task {
            _ = await before?.result
            try await claim.desk.put(
                .reportStage(attempt: claim.number, stage: stage, progressPercent: percent))
        }
    }

    /// The helper's stages as clients see them, with how much is done by then.
    private static let stages: [String: (AnalysisStage, Int64)] = [
        "probe": (.probe, 5), "decode": (.decode, 25), "speech": (.transcribe, 60), "voice": (.voice, 75),
        "picture": (.picture, 90),
    ]
}
