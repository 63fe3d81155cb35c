package import Runtime

/// What a provider can be asked for. The raw value is the member of `PROVIDERS_FILE` that names the model.
package enum ProviderUse: String, Sendable, CaseIterable {
    /// Writing down what is said.
    case transcription
    /// Answering a question with one JSON object.
    case chat
    /// Looking at pictures.
    case vision
    /// Looking at and listening to a whole recording.
    case video
    /// Saying which emotions pictures show.
    case emotions
    /// Reading a text aloud.
    case speech
    /// Saying what is wrong with a text.
    case moderation
    /// Making voices after somebody's own, and removing them.
    case voices
}

extension ProviderDeclaration.Speech {
    /// What can be asked for in this protocol.
    var uses: Set<ProviderUse> {
        switch self {
        case .openai: [.transcription, .chat, .vision, .emotions, .speech, .moderation]
        case .gemini: [.chat, .vision, .video, .emotions]
        case .elevenlabs: [.speech, .voices]
        }
    }
}

extension ProviderDeclaration {
    /// What it is declared for, with its models.
    package var models: [(use: ProviderUse, model: any ProviderModel)] {
        let declared: [(use: ProviderUse, model: (any ProviderModel)?)] = [
            (.transcription, transcription), (.chat, chat), (.vision, vision), (.video, video),
            (.emotions, emotions), (.speech, spoken),
            (.moderation, moderation), (.voices, voices),
        ]
        return declared.compactMap { one in one.model.map { (one.use, $0) } }
    }
}

extension ProviderDeclaration {
    /// Whether it is reached over the internet, where others charge for calls; in a network of one's own there is `http`, or `direct` is said.
    var isOutside: Bool { !isDirect && url.hasPrefix("https://") }

    /// Whether its file says that it costs something to ask it for this. Of what costs nothing no limit holds.
    func hasPrice(for use: ProviderUse) -> Bool {
        switch use {
        case .transcription: price.microsPerMinute > 0
        case .chat: price.isOfTokens
        case .vision: vision?.price.isOfTokens ?? false
        case .video: video?.price.isOfTokens ?? false
        case .emotions: emotions?.vision.price.isOfTokens ?? false
        case .speech: price.microsPerMillionCharacters > 0
        case .moderation: price.microsPerModeration > 0
        case .voices: price.microsPerVoice > 0
        }
    }
}

extension Price {
    fileprivate var isOfTokens: Bool { microsPerMillionInputTokens > 0 || microsPerMillionOutputTokens > 0 }
}

extension Sequence<Provider> {
    /// The same in the order in which they are asked for something: first those that have a rank for it, by that, then the others as they
    /// stand in the file.
    @Loop package func ranked(for use: ProviderUse) -> [Provider] {
        enumerated().map { (rank: $1.declaration.ranks[use] ?? .max, place: $0, provider: $1) }
            .sorted { ($0.rank, $0.place) < ($1.rank, $1.place) }.map(\.provider)
    }
}
