import HTTPClient

/// How a question is put to a language model in one protocol, and how its answer is read.
protocol ChatDialect {
    static func answer(
        to question: ModelQuestion, by chat: ProviderDeclaration.Chat, _ provider: ProviderDeclaration
    ) -> HTTPClientRequest

    /// - Throws: ``AnswerFault`` for anything but one whole JSON object that the model gave.
    static func read(_ bytes: [UInt8]) throws(AnswerFault) -> ModelAnswer
}

extension OpenAIProtocol: ChatDialect {
    static func read(_ bytes: [UInt8]) throws(AnswerFault) -> ModelAnswer { try ModelAnswer(reading: bytes) }
}

extension GeminiProtocol: ChatDialect {
    static func read(_ bytes: [UInt8]) throws(AnswerFault) -> ModelAnswer { try ModelAnswer(readingGemini: bytes) }
}

extension ProviderDeclaration.Speech {
    /// Nil for one in which no question can be put.
    var chat: (any ChatDialect.Type)? {
        switch self {
        case .openai: OpenAIProtocol.self
        case .gemini: GeminiProtocol.self
        case .elevenlabs: nil
        }
    }
}
