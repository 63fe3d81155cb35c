/// A text to be read aloud.
package struct SpeechText: Sendable, Equatable {
    package var text: String
    /// The name or the id of the voice; nil for the one that is declared.
    package var voice: String?

    package init(_ text: String, voice: String? = nil) {
        self.text = text
        self.voice = voice
    }

    /// As providers count.
    package var characters: Int64 { Int64(text.unicodeScalars.count) }
}

/// A text that was read aloud: a stranger's bytes, which begin as sound of their form does. That they can be played nobody has tried.
package struct SpokenAudio: Sendable, Equatable {
    package var bytes: [UInt8]
    package var form: AudioForm

    /// - Throws: ``AnswerFault/notAudio`` for what begins as something else.
    init(reading bytes: [UInt8], in form: AudioForm) throws(AnswerFault) {
        guard form.begins(bytes) else { throw .notAudio }
        self.bytes = bytes
        self.form = form
    }
}
