import HTTPClient
import JSON

/// Shapes: `POST /audio/speech` and `POST /moderations` of <https://platform.openai.com/docs/api-reference>, and the types
/// `SpeechCreateParams`, `ModerationCreateParams` and `ModerationCreateResponse` of github.com/openai/openai-python.
extension OpenAIProtocol {
    private static let moderationLimit = 1 << 20

    static func speech(
        of text: SpeechText, by model: ProviderDeclaration.Spoken, _ provider: ProviderDeclaration
    ) -> HTTPClientRequest {
        let body: JSONObject = [
            "model": .string(model.model), "voice": .string(text.voice ?? model.voice), "input": .string(text.text),
            "response_format": .string(model.form.rawValue),
        ]
        var request = request(
            provider, "/audio/speech", "application/json", JSONValue.object(body).bytes, Int(model.limitBytes))
        request.headers.removeAll { $0.name == "Accept" }
        request.headers.append(("Accept", model.form.contentType))
        return request
    }

    static func moderation(
        of texts: [String], by model: ProviderDeclaration.Moderation, _ provider: ProviderDeclaration
    ) -> HTTPClientRequest {
        let body: JSONObject = ["model": .string(model.model), "input": .array(texts.map(JSONValue.string))]
        return request(provider, "/moderations", "application/json", JSONValue.object(body).bytes, moderationLimit)
    }
}
