extension ProviderDeclaration {
    /// A model that reads texts aloud.
    package struct Spoken: Sendable, Equatable {
        package var model: String
        /// The name or the id of the voice that reads where none is asked for.
        package var voice: String
        package var form: AudioForm
        /// How long a call may take, with all that is tried.
        package var deadline: Duration
        /// The longest text that may be sent.
        package var mostCharacters: Int64
        /// The largest sound that is taken, in bytes.
        package var limitBytes: Int64

        package init(
            model: String, voice: String, form: AudioForm = .mp3, deadline: Duration, mostCharacters: Int64,
            limitBytes: Int64
        ) {
            self.model = model
            self.voice = voice
            self.form = form
            self.deadline = deadline
            self.mostCharacters = mostCharacters
            self.limitBytes = limitBytes
        }

        /// Whether a text can be the name or the id of a voice; it becomes a part of addresses.
        static func isVoice(_ text: String) -> Bool { text.wholeMatch(of: #/[A-Za-z0-9_\-]{1,100}/#) != nil }
    }

    /// A model that says what is wrong with texts.
    package struct Moderation: Sendable, Equatable {
        package var model: String
        /// How long a call may take, with all that is tried.
        package var deadline: Duration

        package init(model: String, deadline: Duration) {
            self.model = model
            self.deadline = deadline
        }
    }

    /// Voices that are made after somebody's own.
    package struct Voices: Sendable, Equatable {
        /// How long a call may take, with all that is tried.
        package var deadline: Duration
        /// The most that all samples of one voice may have, in bytes.
        package var limitBytes: Int64
        /// By this circuits and figures know them: there is no choice of models.
        package var model: String { "voices" }

        package init(deadline: Duration, limitBytes: Int64) {
            self.deadline = deadline
            self.limitBytes = limitBytes
        }
    }
}

extension ProviderDeclaration.Spoken: ProviderModel { package static let use = ProviderUse.speech }
extension ProviderDeclaration.Moderation: ProviderModel { package static let use = ProviderUse.moderation }
extension ProviderDeclaration.Voices: ProviderModel { package static let use = ProviderUse.voices }
