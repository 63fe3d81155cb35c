package import Primitives

/// Having voices made after somebody's own, and removed.
extension Provider {
    /// What making one voice costs at most.
    package func costOfVoice() -> Int64 { declaration.price.microsPerVoice }

    /// Has a voice made after somebody's own. It is never asked for twice at once.
    ///
    /// Where the answer is lost the voice may be there all the same, and after a second try there may be two: ``removeVoices(named:with:)`` finds
    /// all by their name, so that is kept before the call begins.
    ///
    /// - Parameters:
    ///   - name: of our own, and of nobody's.
    ///   - samples: how somebody sounds; what the files are called says nothing.
    ///   - alone: as in ``transcribe(_:with:alone:)``.
    /// - Throws: as ``transcribe(_:with:alone:)``.
    package func makeVoice(
        named name: UUID, after samples: [ProviderAudio], with model: ProviderDeclaration.Voices, alone: Bool = false
    ) async throws -> Outcome<ClonedVoice> {
        guard !samples.isEmpty, declaration.speech == .elevenlabs else { return Self.unsent(.invalidRequest) }
        guard samples.reduce(0, { $0 + Int64($1.bytes.count) }) <= model.limitBytes else {
            return Self.unsent(.refused(status: 413))
        }
        let request = ElevenLabsProtocol.voice(named: name, after: samples, declaration)
        let most = costOfVoice()
        return try await call(model.model, request, model.deadline, most: most, alone, isHedged: false) {
            (body) throws(AnswerFault) in (try ClonedVoice(reading: body), most)
        }
    }

    /// The voices that have a name of ours; a hundred at most.
    ///
    /// - Throws: as ``transcribe(_:with:alone:)``.
    package func voices(
        named name: UUID, with model: ProviderDeclaration.Voices
    ) async throws -> Outcome<[VoiceID]> {
        guard declaration.speech == .elevenlabs else { return Self.unsent(.invalidRequest) }
        let request = ElevenLabsProtocol.voices(named: name, declaration)
        return try await call(model.model, request, model.deadline, most: 0, false, isHedged: false) {
            (body) throws(AnswerFault) in (try ElevenLabsAnswer.voices(body, named: name), 0)
        }
    }

    /// Removes a voice. One that is not there is removed.
    ///
    /// - Throws: as ``transcribe(_:with:alone:)``.
    package func removeVoice(
        _ voice: VoiceID, with model: ProviderDeclaration.Voices
    ) async throws -> Outcome<Void> {
        guard declaration.speech == .elevenlabs else { return Self.unsent(.invalidRequest) }
        let request = ElevenLabsProtocol.delete(voice, declaration)
        var outcome: Outcome<Void> = try await call(
            model.model, request, model.deadline, most: 0, false, isHedged: false
        ) { (body) throws(AnswerFault) in (try ElevenLabsAnswer.checkDeleted(body), 0) }
        if case .failure(.refused(status: 404)) = outcome.result { outcome.result = .success(()) }
        return outcome
    }

    /// Removes all voices that have a name of ours, whoever remembers their ids.
    ///
    /// - Returns: how many were there; a failure when one may still be, so that this is to be done again.
    /// - Throws: as ``transcribe(_:with:alone:)``.
    package func removeVoices(
        named name: UUID, with model: ProviderDeclaration.Voices
    ) async throws -> Result<Int, ProviderFailure> {
        switch try await voices(named: name, with: model).result {
        case .failure(let failure): return .failure(failure)
        case .success(let found):
            for voice in found {
                if case .failure(let failure) = try await removeVoice(voice, with: model).result {
                    return .failure(failure)
                }
            }
            return .success(found.count)
        }
    }
}
