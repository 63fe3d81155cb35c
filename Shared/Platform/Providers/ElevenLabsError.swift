import JSON

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
