import Contracts
import Crypto
import Measuring
import Primitives
import Providers

/// Having the sound of a recording written down.
struct SoundQuestion: JobQuestion {
    static let purpose = ConsentPurpose.transcription
    static let document = "transcript"
    static func model(of provider: ProviderDeclaration) -> ProviderDeclaration.Transcription? { provider.transcription }

    private let audio: ProviderAudio
    let sha256: String

    init(_ sound: RecordingSound) {
        audio = ProviderAudio(
            bytes: sound.ogg, contentType: "audio/ogg", fileName: "audio.ogg", milliseconds: sound.milliseconds)
        sha256 = Hex.encode(SHA256.digest(sound.ogg))
    }

    func fits(_ model: ProviderDeclaration.Transcription) -> Bool { Int64(audio.bytes.count) <= model.limitBytes }

    func mostMicros(_ candidate: ProviderCandidate<ProviderDeclaration.Transcription>) -> Int64 {
        candidate.provider.cost(of: audio)
    }

    func send(
        to candidate: ProviderCandidate<ProviderDeclaration.Transcription>
    ) async throws -> Provider.Outcome<Transcript> {
        try await candidate.provider.transcribe(audio, with: candidate.model, alone: candidate.isTrial)
    }

    func count(_: Transcript?, in outcome: inout ProviderCallOutcome) { outcome.audioMs = audio.milliseconds }

    func read(_ transcript: Transcript, of call: ProviderCall) -> Result<HeardWords, UnfitAnswer> {
        guard transcript.isEnglish else { return .failure(UnfitAnswer(code: "other-language")) }
        let words = transcript.words.map { HeardWords.Word(text: $0.text, startMs: $0.startMs, endMs: $0.endMs) }
        return .success(HeardWords(engine: call.scope.provider, model: call.model, words: words))
    }
}

extension Transcript {
    /// Whether it is in the language that is measured here; providers name it in words or by a tag.
    fileprivate var isEnglish: Bool {
        guard let language else { return true }
        return language == "english" || language == "en" || language.hasPrefix("en-")
    }
}
