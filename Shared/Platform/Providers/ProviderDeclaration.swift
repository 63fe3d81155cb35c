package import Configuration

/// A provider outside this deployment, as its operator declares it.
package struct ProviderDeclaration: Sendable, Equatable {
    /// How it is spoken to. The raw value stands in the file.
    package enum Speech: String, Sendable, CaseIterable {
        /// The API of OpenAI, which many servers speak.
        case openai
        /// The Gemini API of Google.
        case gemini
        /// The API of ElevenLabs.
        case elevenlabs
    }

    /// A model that writes down what is said.
    package struct Transcription: Sendable, Equatable {
        package var model: String
        /// How long a call may take, with all that is tried.
        package var deadline: Duration
        /// The largest sound that may be sent, in bytes.
        package var limitBytes: Int64

        package init(model: String, deadline: Duration, limitBytes: Int64) {
            self.model = model
            self.deadline = deadline
            self.limitBytes = limitBytes
        }
    }

    /// A model that answers with one JSON object.
    package struct Chat: Sendable, Equatable {
        package var model: String
        /// How long a call may take, with all that is tried.
        package var deadline: Duration
        /// How much the model may write.
        package var mostOutputTokens: Int64

        package init(model: String, deadline: Duration, mostOutputTokens: Int64) {
            self.model = model
            self.deadline = deadline
            self.mostOutputTokens = mostOutputTokens
        }
    }

    /// A model that looks at pictures and answers with one JSON object.
    package struct Vision: Sendable, Equatable {
        package var chat: Chat
        /// Its own: a provider's models differ in what a token costs.
        package var price: Price
        /// How many tokens one small picture is counted as, at most.
        package var mostTokensPerPicture: Int64

        package init(chat: Chat, price: Price = Price(), mostTokensPerPicture: Int64) {
            self.chat = chat
            self.price = price
            self.mostTokensPerPicture = mostTokensPerPicture
        }
    }

    /// A model that gets a whole recording and answers with one JSON object.
    package struct Video: Sendable, Equatable {
        package var chat: Chat
        /// Its own: a provider's models differ in what a token costs.
        package var price: Price
        /// The largest recording that may be sent, in bytes.
        package var limitBytes: Int64

        package init(chat: Chat, price: Price = Price(), limitBytes: Int64) {
            self.chat = chat
            self.price = price
            self.limitBytes = limitBytes
        }
    }

    /// A model that says which emotions pictures show, where a policy lets it be asked.
    package struct Emotions: Sendable, Equatable {
        package var vision: Vision
        package var policy: EmotionPolicy

        package init(vision: Vision, policy: EmotionPolicy) {
            self.vision = vision
            self.policy = policy
        }
    }

    /// By this name consents and events know it.
    package var name: String
    package var speech: Speech
    /// Where its API is, without a slash at the end, such as `https://api.openai.com/v1`.
    package var url: String
    /// Nil for a server that asks for none.
    package var key: Secret?
    /// Nobody gets anything, whatever users have agreed to.
    package var isOff: Bool
    /// It stands in the deployment's own network, and is reached without the proxy for what is outside.
    package var isDirect: Bool
    /// How long an answer is waited for before the same is asked a second time, beside the first; nil for never. Both may be charged.
    package var hedgeAfter: Duration?
    /// Three letters (ISO 4217) for its prices.
    package var currency: String
    package var price: Price
    package var transcription: Transcription?
    package var chat: Chat?
    package var vision: Vision?
    package var video: Video?
    package var emotions: Emotions?
    package var spoken: Spoken?
    package var moderation: Moderation?
    package var voices: Voices?
    /// Its place among those that are asked for the same, from 1; without one it comes behind them.
    package var ranks: [ProviderUse: Int64] = [:]

    package init(
        name: String, speech: Speech = .openai, url: String, key: Secret? = nil, isOff: Bool = false,
        isDirect: Bool = false, hedgeAfter: Duration? = nil, currency: String = "USD", price: Price = Price(),
        transcription: Transcription? = nil,
        chat: Chat? = nil, vision: Vision? = nil
    ) {
        self.name = name
        self.speech = speech
        self.url = url
        self.key = key
        self.isOff = isOff
        self.isDirect = isDirect
        self.hedgeAfter = hedgeAfter
        self.currency = currency
        self.price = price
        self.transcription = transcription
        self.chat = chat
        self.vision = vision
    }
}
