import JSON
import Primitives

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
