import Contracts
import Crypto
import JSON
import Measuring
import Primitives
import Providers

/// Having some pictures of a recording looked at, for what nothing here judges.
struct PictureQuestion: JobQuestion {
    static let purpose = ConsentPurpose.vision
    static let document = "seen"
    static func model(of provider: ProviderDeclaration) -> ProviderDeclaration.Vision? { provider.vision }

    private let question: ModelQuestion
    var sha256: String { question.sha256() }

    init(_ pictures: [RecordingPicture]) { question = SightQuestion.about(pictures) }

    func mostMicros(_ candidate: ProviderCandidate<ProviderDeclaration.Vision>) -> Int64 {
        candidate.provider.cost(of: question, with: candidate.model)
    }

    func send(to candidate: ProviderCandidate<ProviderDeclaration.Vision>) async throws -> Provider.Outcome<ModelAnswer>
    {
        try await candidate.provider.answer(question, with: candidate.model, alone: candidate.isTrial)
    }

    func count(_ answer: ModelAnswer?, in outcome: inout ProviderCallOutcome) {
        (outcome.inputTokens, outcome.outputTokens) = (answer?.inputTokens, answer?.outputTokens)
    }

    func read(_ answer: ModelAnswer, of call: ProviderCall) -> Result<SeenMeasures, UnfitAnswer> {
        SightQuestion.seen(in: answer, about: .pictures, of: call)
    }
}

extension ModelQuestion {
    /// SHA-256 of what is sent, 64 hexadecimal digits.
    ///
    /// - Parameter more: what goes with it besides its own pictures.
    func sha256(with more: String = "") -> String {
        let said = [instructions, material, JSONValue.object(schema).text, more].map { Array($0.utf8) }
        return Hex.encode(SHA256.digest((said + pictures.map(\.jpeg)).flatMap { $0 }))
    }
}
