import HTTPClient

/// Having texts read aloud.
extension Provider {
    /// What reading a text aloud costs at most.
    package func cost(of text: SpeechText) -> Int64 { price(of: text) * mostRequests }

    private func price(of text: SpeechText) -> Int64 { declaration.price.ofText(characters: text.characters) }

    /// Has a text read aloud. The sound is held in memory, up to the limit that is declared.
    ///
    /// - Parameter alone: as in ``transcribe(_:with:alone:)``.
    /// - Throws: as ``transcribe(_:with:alone:)``.
    package func speak(
        _ text: SpeechText, with model: ProviderDeclaration.Spoken, alone: Bool = false
    ) async throws -> Outcome<SpokenAudio> {
        guard text.characters <= model.mostCharacters else { return Self.unsent(.refused(status: 413)) }
        guard !text.text.isEmpty, text.voice.map(ProviderDeclaration.Spoken.isVoice) ?? true else {
            return Self.unsent(.invalidRequest)
        }
        let request: HTTPClientRequest
        switch declaration.speech {
        case .openai: request = OpenAIProtocol.speech(of: text, by: model, declaration)
        case .elevenlabs: request = ElevenLabsProtocol.speech(of: text, by: model, declaration)
        case .gemini: return Self.unsent(.invalidRequest)
        }
        return try await call(model.model, request, model.deadline, most: price(of: text), alone) {
            (body) throws(AnswerFault) in
            (try SpokenAudio(reading: body, in: model.form), price(of: text))
        }
    }
}
