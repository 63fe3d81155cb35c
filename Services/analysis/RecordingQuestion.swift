import Contracts
import EventStore
import Measuring
import ObjectStorage
import Primitives
import Providers
import Runtime

/// Having a whole recording seen and heard, for what nothing here judges. The provider gets it for this question alone: whatever happens, it is
/// taken back (`LentFiles`).
@Loop struct RecordingQuestion: JobQuestion {
    static let purpose = ConsentPurpose.video
    static let document = "seen"
    static func model(of provider: ProviderDeclaration) -> ProviderDeclaration.Video? { provider.video }

    private let file: LentFile
    private let question = SightQuestion.ofAll
    private let store: EventStore
    let sha256: String

    /// - Parameters:
    ///   - milliseconds: how long it is.
    ///   - objects: where it lies.
    ///   - store: where it is written down that it was lent.
    init(_ media: MediaReference, milliseconds: Int64, _ objects: any ObjectStore, _ store: EventStore) {
        // The API has a name of its own for QuickTime.
        let contentType = media.contentType == "video/quicktime" ? "video/mov" : media.contentType
        file = LentFile(
            name: .v7(), contentType: contentType, size: media.sizeBytes, milliseconds: milliseconds
        ) { from, count in
            CrashPoint.reached("analysis.while-lending")
            return try await objects.read(media.key, from: from, count: count)
        }
        sha256 = question.sha256(with: media.sha256)
        self.store = store
    }

    func fits(_ model: ProviderDeclaration.Video) -> Bool { file.size <= model.limitBytes }

    func mostMicros(_ candidate: ProviderCandidate<ProviderDeclaration.Video>) -> Int64 {
        candidate.provider.cost(of: question, about: file, with: candidate.model)
    }

    func rowCalls(with call: ProviderCall, _ candidate: ProviderCandidate<ProviderDeclaration.Video>) -> [RowCall] {
        [LentFiles.lend(file.name, with: call, for: candidate.model.deadline)]
    }

    func send(to candidate: ProviderCandidate<ProviderDeclaration.Video>) async throws -> Provider.Outcome<ModelAnswer>
    {
        do {
            let lending = try await candidate.provider.answer(
                question, about: file, with: candidate.model, alone: candidate.isTrial)
            CrashPoint.reached("analysis.after-lending")
            // Who cannot write that down leaves it to the keeper, who finds nothing there.
            if lending.isTakenBack { try? await LentFiles.forget(file.name, of: candidate.scope.provider, store) }
            return lending.outcome
        } catch is ObjectStoreError {
            return Provider.Outcome(result: .failure(.lostFile), costMicros: 0, attempts: 0, took: .zero)
        }
    }

    func count(_ answer: ModelAnswer?, in outcome: inout ProviderCallOutcome) {
        (outcome.inputTokens, outcome.outputTokens) = (answer?.inputTokens, answer?.outputTokens)
    }

    func read(_ answer: ModelAnswer, of call: ProviderCall) -> Result<SeenMeasures, UnfitAnswer> {
        SightQuestion.seen(in: answer, about: .recording, of: call)
    }
}
