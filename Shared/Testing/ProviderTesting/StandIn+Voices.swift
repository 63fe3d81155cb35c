import JSON
package import Primitives
package import Providers

/// Speech and moderation of the OpenAI API, and the ElevenLabs API at the same address.
///
/// The answers' members are those of `ModerationCreateResponse` in github.com/openai/openai-python, and of `AddVoiceIvcResponseModel`,
/// `GetVoicesV2Response` and `DeleteVoiceResponseModel` in github.com/elevenlabs/elevenlabs-python, whose clients read them in a test. What it says of
/// what is used up, and of a voice that is not there, stands in issues of those who got it (github.com/home-assistant/core/issues/160414,
/// github.com/elevenlabs/elevenlabs-python/issues/293) with another number and another voice; nothing else was recorded.
extension StandIn {
    nonisolated static let voiceRoutes = [
        ("POST", "/v1/audio/speech"), ("POST", "/v1/moderations"), ("POST", "/v1/text-to-speech/{voice}"),
        ("POST", "/v1/voices/add"), ("GET", "/v2/voices"), ("DELETE", "/v1/voices/{voice}"),
    ]

    /// A provider that reads aloud, judges texts and makes voices, as far as the protocol goes; it is tried again at once, without chance.
    package func voices(
        _ speech: ProviderDeclaration.Speech = .elevenlabs, hedgeAfter: Duration? = nil
    ) -> Provider {
        var declared = declaration()
        declared.speech = speech
        // Its paths begin with a version each.
        if speech == .elevenlabs { declared.url = String(declared.url.dropLast("/v1".count)) }
        declared.hedgeAfter = hedgeAfter
        declared.price = Self.voicePrice
        var plan = RetryPlan()
        plan.first = .zero
        plan.jitter = .zero
        return Provider(declared, plan: plan)
    }

    package nonisolated static let voicePrice: Price = {
        var price = Price()
        price.microsPerMillionCharacters = 15_000_000
        price.microsPerModeration = 20
        price.microsPerVoice = 1_000
        return price
    }()

    package nonisolated static func spoken(
        _ speech: ProviderDeclaration.Speech = .elevenlabs, _ deadline: Duration = .seconds(30), form: AudioForm = .mp3
    ) -> ProviderDeclaration.Spoken {
        let isOpenAI = speech == .openai
        return ProviderDeclaration.Spoken(
            model: isOpenAI ? "tts-1" : "eleven_multilingual_v2", voice: isOpenAI ? "alloy" : "JBFqnCBsd6RMkjVDRZzb",
            form: form, deadline: deadline, mostCharacters: 100, limitBytes: 10_000)
    }

    package nonisolated static func moderation(_ deadline: Duration = .seconds(30)) -> ProviderDeclaration.Moderation {
        ProviderDeclaration.Moderation(model: "omni-moderation-latest", deadline: deadline)
    }

    package nonisolated static func cloning(_ deadline: Duration = .seconds(30)) -> ProviderDeclaration.Voices {
        ProviderDeclaration.Voices(deadline: deadline, limitBytes: 1_000)
    }

    /// Bytes that begin as sound does.
    package nonisolated static let sound = Array("ID3 some sound".utf8)

    package nonisolated static func sounding(_ bytes: [UInt8] = sound, type: String = "audio/mpeg") -> Behaviour {
        .answer(bytes, type: type)
    }

    /// Two texts were judged: the first is well, the second is not.
    package nonisolated static let judged = Array(answer("moderation").utf8)

    /// Texts were judged, one after another; of those that are not well it is harassment.
    package nonisolated static func judged(_ flags: [Bool]) -> [UInt8] {
        guard let whole = try? JSONObject.parse(judged), let results = whole["results"]?.arrayValue else {
            preconditionFailure("moderation.json is no JSON.")
        }
        return JSONValue.object(whole.adding(["results": .array(flags.map { results[$0 ? 1 : 0] })])).bytes
    }

    package nonisolated static let voiceMade = Array(answer("voice", of: "elevenlabs").utf8)
    /// Two voices were found, of which one has this name.
    package nonisolated static func voicesFound(_ name: UUID) -> [UInt8] {
        Array(answer("voices", of: "elevenlabs").replacing("NAME", with: name.description).utf8)
    }
    package nonisolated static let voiceRemoved = Array(answer("deleted", of: "elevenlabs").utf8)
    package nonisolated static let usedUp = Array(answer("quota", of: "elevenlabs").utf8)
    package nonisolated static let noVoice = Array(answer("no-voice", of: "elevenlabs").utf8)
}
