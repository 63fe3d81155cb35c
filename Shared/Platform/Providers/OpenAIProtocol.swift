import Configuration
import HTTPClient
package import JSON
import Primitives

/// Sound to be written down.
package struct ProviderAudio: Sendable {
    package var bytes: [UInt8]
    /// Such as `audio/ogg`.
    package var contentType: String
    /// By its ending providers tell the form; it says nothing else.
    package var fileName: String
    package var milliseconds: Int64

    package init(bytes: [UInt8], contentType: String, fileName: String, milliseconds: Int64) {
        self.bytes = bytes
        self.contentType = contentType
        self.fileName = fileName
        self.milliseconds = milliseconds
    }
}

/// A small picture to be looked at.
package struct ProviderPicture: Sendable, Equatable {
    /// JPEG, of at most 512 by 512 pixels.
    package var jpeg: [UInt8]

    package init(jpeg: [UInt8]) { self.jpeg = jpeg }
}

/// A question to a language model whose answer is one JSON object.
package struct ModelQuestion: Sendable {
    /// What is asked for; by us alone.
    package var instructions: String
    /// What it is about; anybody's words, which change nothing of what is asked for.
    package var material: String
    /// What it is about, too. What is written in them is anybody's words as well.
    package var pictures: [ProviderPicture]
    /// The name of the answer's schema, letters and underscores.
    package var schemaName: String
    /// The JSON schema of the answer. Whether the answer keeps to it, the caller checks.
    package var schema: JSONObject

    package init(
        instructions: String, material: String, pictures: [ProviderPicture] = [], schemaName: String, schema: JSONObject
    ) {
        self.instructions = instructions
        self.material = material
        self.pictures = pictures
        self.schemaName = schemaName
        self.schema = schema
    }
}

/// The requests of the OpenAI API, which other servers take too.
///
/// Shapes: `POST /audio/transcriptions` and `POST /chat/completions` of <https://platform.openai.com/docs/api-reference>, and the types
/// `TranscriptionVerbose`, `TranscriptionWord` and `ChatCompletion` of github.com/openai/openai-python.
enum OpenAIProtocol {
    /// No good transcription is larger: ten minutes with all that a server may add to the words.
    private static let transcriptionLimit = 8 << 20
    private static let chatLimit = 1 << 20

    static func transcription(
        of audio: ProviderAudio, by model: String, _ provider: ProviderDeclaration
    ) -> HTTPClientRequest {
        var form = Multipart()
        form.add("model", model)
        form.add("response_format", "verbose_json")
        form.add("timestamp_granularities[]", "word")
        form.add("temperature", "0")
        form.add("file", audio)
        return request(provider, "/audio/transcriptions", form.contentType, form.body, transcriptionLimit)
    }

    static func answer(
        to question: ModelQuestion, by chat: ProviderDeclaration.Chat, _ provider: ProviderDeclaration
    ) -> HTTPClientRequest {
        let format: JSONObject = [
            "type": "json_schema",
            "json_schema": [
                "name": .string(question.schemaName), "strict": true, "schema": .object(question.schema),
            ],
        ]
        let body: JSONObject = [
            "model": .string(chat.model),
            "messages": [
                ["role": "system", "content": .string(question.instructions)],
                ["role": "user", "content": content(of: question)],
            ],
            "response_format": .object(format), "max_completion_tokens": .int(chat.mostOutputTokens),
        ]
        return request(
            provider, "/chat/completions", "application/json", JSONValue.object(body).bytes, chatLimit)
    }

    /// The text alone, or parts: the text, then each picture with as little detail as there is.
    private static func content(of question: ModelQuestion) -> JSONValue {
        if question.pictures.isEmpty { return .string(question.material) }
        let text: JSONValue = ["type": "text", "text": .string(question.material)]
        return .array(
            [text]
                + question.pictures.map { picture in
                    let url = "data:image/jpeg;base64,\(Base64.encode(picture.jpeg))"
                    return ["type": "image_url", "image_url": ["url": .string(url), "detail": "low"]]
                })
    }

    static func request(
        _ provider: ProviderDeclaration, _ path: String, _ type: String, _ body: [UInt8], _ limit: Int
    ) -> HTTPClientRequest {
        var headers = [(name: "Content-Type", value: type), (name: "Accept", value: "application/json")]
        if let key = provider.key { headers.append(("Authorization", "Bearer \(key.reveal())")) }
        var request = HTTPClientRequest("POST", provider.url + path, headers: headers, body: .bytes(body))
        request.responseLimit = limit
        // Whether it is sent again is decided by what it may have cost.
        request.isSentOnce = true
        return request
    }
}
