import JSON

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
