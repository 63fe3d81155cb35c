import Configuration
import HTTPClient
import JSON
import Primitives

/// The requests of the ElevenLabs API.
///
/// Shapes: `POST /v1/text-to-speech/{voice_id}`, `POST /v1/voices/add`, `GET /v2/voices` and `DELETE /v1/voices/{voice_id}` of
/// <https://elevenlabs.io/docs/api-reference>, and the types `AddVoiceIvcResponseModel`, `GetVoicesV2Response` and `DeleteVoiceResponseModel` of
/// github.com/elevenlabs/elevenlabs-python.
enum ElevenLabsProtocol {
    private static let answerLimit = 1 << 20
    /// How many voices of one name are told at a time.
    private static let mostVoices = 100

    static func speech(
        of text: SpeechText, by model: ProviderDeclaration.Spoken, _ provider: ProviderDeclaration
    ) -> HTTPClientRequest {
        let form =
            switch model.form {
            case .mp3: "mp3_44100_128"
            case .opus: "opus_48000_64"
            case .wav: "wav_24000"
            }
        var request = request(
            "POST", "/v1/text-to-speech/\(text.voice ?? model.voice)?output_format=\(form)", provider,
            accept: model.form.contentType)
        request.headers.append(("Content-Type", "application/json"))
        let body: JSONObject = ["text": .string(text.text), "model_id": .string(model.model)]
        request.body = .bytes(JSONValue.object(body).bytes)
        request.responseLimit = Int(model.limitBytes)
        return request
    }

    /// Makes a voice after somebody's own, under a name of ours.
    static func voice(
        named name: UUID, after samples: [ProviderAudio], _ provider: ProviderDeclaration
    ) -> HTTPClientRequest {
        var form = Multipart()
        form.add("name", name.description)
        for sample in samples { form.add("files", sample) }
        var request = request("POST", "/v1/voices/add", provider)
        request.headers.append(("Content-Type", form.contentType))
        request.body = .bytes(form.body)
        return request
    }

    /// Asks for the voices whose name, or something else of them, has this name in it.
    static func voices(named name: UUID, _ provider: ProviderDeclaration) -> HTTPClientRequest {
        request("GET", "/v2/voices?search=\(name)&page_size=\(mostVoices)", provider)
    }

    static func delete(_ voice: VoiceID, _ provider: ProviderDeclaration) -> HTTPClientRequest {
        request("DELETE", "/v1/voices/\(voice.text)", provider)
    }

    private static func request(
        _ method: String, _ path: String, _ provider: ProviderDeclaration, accept: String = "application/json"
    ) -> HTTPClientRequest {
        var headers = [(name: "Accept", value: accept)]
        if let key = provider.key { headers.append(("xi-api-key", key.reveal())) }
        var request = HTTPClientRequest(method, provider.url + path, headers: headers)
        request.responseLimit = answerLimit
        // Whether it is sent again is decided by what it may have cost.
        request.isSentOnce = true
        return request
    }
}
