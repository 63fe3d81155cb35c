import JSON
import Primitives

/// By this a provider knows a voice. It is a part of addresses, so there is nothing in it that means something there.
package struct VoiceID: Sendable, Hashable {
    package let text: String

    /// Nil for anything but up to 64 letters and digits.
    package init?(_ text: String) {
        guard text.wholeMatch(of: #/[A-Za-z0-9]{1,64}/#) != nil else { return nil }
        self.text = text
    }
}

/// A voice that was made after somebody's own.
package struct ClonedVoice: Sendable, Equatable {
    package var id: VoiceID
    /// Whether the provider wants to know whose it is before anything is read in it.
    package var needsProof: Bool

    /// Reads the answer to a voice that was added.
    ///
    /// - Throws: ``AnswerFault`` for anything else.
    init(reading bytes: [UInt8]) throws(AnswerFault) {
        let object = try ElevenLabsAnswer.object(bytes)
        guard let id = object["voice_id"]?.stringValue.flatMap(VoiceID.init),
            let needsProof = object["requires_verification"]?.boolValue
        else { throw .form }
        self.id = id
        self.needsProof = needsProof
    }
}

/// Answers of the ElevenLabs API.
enum ElevenLabsAnswer {
    static func object(_ bytes: [UInt8]) throws(AnswerFault) -> JSONObject {
        guard let value = try? JSONValue.parse(bytes, limits: JSONLimits(depth: 16, values: 50_000)) else {
            throw .notJSON
        }
        guard let object = value.objectValue else { throw .form }
        return object
    }

    /// The voices of exactly this name, of those that were found.
    static func voices(_ bytes: [UInt8], named name: UUID) throws(AnswerFault) -> [VoiceID] {
        guard let list = try object(bytes)["voices"]?.arrayValue else { throw .form }
        var voices: [VoiceID] = []
        for voice in list {
            guard let id = voice["voice_id"]?.stringValue.flatMap(VoiceID.init) else { throw .form }
            if voice["name"]?.stringValue == name.description { voices.append(id) }
        }
        return voices
    }

    /// A voice is gone.
    static func checkDeleted(_ bytes: [UInt8]) throws(AnswerFault) {
        guard try object(bytes)["status"]?.stringValue == "ok" else { throw .form }
    }
}

/// What the ElevenLabs API says of an error besides its status. These forms stand in reports of those who got them:
/// <https://github.com/home-assistant/core/issues/160414> and <https://github.com/elevenlabs/elevenlabs-python/issues/454>.
enum ElevenLabsError: String {
    /// What was paid for is used up. It calls that a key that it does not accept (401).
    case quota = "quota_exceeded"
    /// There is no such voice. It calls that a bad request (400), or not found.
    case noVoice = "voice_not_found"
    case noSuchVoice = "voice_does_not_exist"

    /// Nil for an answer of another form.
    init?(reading body: [UInt8]) {
        let detail = (try? ElevenLabsAnswer.object(body))?["detail"]
        guard let known = detail?["status"]?.stringValue.flatMap(ElevenLabsError.init) else { return nil }
        self = known
    }
}
