import HTTPClient
import JSON
package import Primitives
import Runtime

/// Questions about a file that the provider gets for them alone.
///
/// Uploading, waiting and taking back cost nothing, so each is tried again after whatever may pass; only the question itself may be charged.
extension Provider {
    /// What a question about a file came to.
    package struct Lending: Sendable {
        package var outcome: Outcome<ModelAnswer>
        /// Whether the provider has nothing of the file any more; if not, ``takeBack(_:)`` is to be called again later.
        package var isTakenBack: Bool
    }

    /// Files go in pieces of so many bytes, as the API's own clients send them.
    private static let piece: Int64 = 8 << 20
    /// How long a provider has to delete a file.
    private static let takingBack: Duration = .seconds(20)

    /// Whether it takes files.
    package var takesFiles: Bool { declaration.speech == .gemini }

    /// What having a question about a file answered costs at most.
    package func cost(
        of question: ModelQuestion, about file: LentFile, with model: ProviderDeclaration.Video
    ) -> Int64 {
        most(of: question, about: file, with: model) * mostRequests
    }

    private func most(
        of question: ModelQuestion, about file: LentFile, with model: ProviderDeclaration.Video
    ) -> Int64 {
        most(of: question, with: model.chat, model.price, pictures: GeminiProtocol.mostTokens(of: file))
    }

    /// Uploads a file, waits until the provider has looked at it, has a question about it answered, and takes it back, whatever has happened.
    ///
    /// - Parameter alone: as in ``transcribe(_:with:alone:)``.
    /// - Throws: what `file.piece` throws, or `CancellationError` when the task is cancelled: then neither is known whether the call was charged nor
    ///   whether the file was taken back, though that was tried.
    package func answer(
        _ question: ModelQuestion, about file: LentFile, with model: ProviderDeclaration.Video, alone: Bool = false
    ) async throws -> Lending {
        let began = ContinuousClock.now
        func nothing(_ failure: ProviderFailure) -> Outcome<ModelAnswer> {
            ended(
                model.model,
                Outcome(result: .failure(failure), costMicros: 0, attempts: 0, took: ContinuousClock.now - began))
        }
        guard file.size <= model.limitBytes else {
            return Lending(outcome: nothing(.refused(status: 413)), isTakenBack: true)
        }
        guard takesFiles else { return Lending(outcome: nothing(.invalidRequest), isTakenBack: true) }
        let lending = try await lending(to: model.model, alone) { () async throws -> Lending in
            let result: Result<Outcome<ModelAnswer>, any Error>
            do {
                result = .success(try await lend(file, for: question, model, alone, until: began + model.deadline))
            } catch let failure as ProviderFailure {
                note(model.model, succeeded: !failure.countsAgainstProvider)
                result = .success(nothing(failure))
            } catch {
                result = .failure(error)
            }
            let isTakenBack = await isTakenBack(file.name)
            return Lending(outcome: try result.get(), isTakenBack: isTakenBack)
        }
        return lending ?? Lending(outcome: nothing(.paused), isTakenBack: true)
    }

    /// Deletes a file that was lent, or may have been. One that is not there is taken back already.
    ///
    /// - Throws: ``ProviderFailure`` when it may still be there; `CancellationError` when the task is cancelled.
    package func takeBack(_ name: UUID) async throws {
        let deadline = ContinuousClock.now + Self.takingBack
        do {
            _ = try await persist(GeminiProtocol.delete(name, declaration), until: deadline)
        } catch ProviderFailure.refused(status: 404) {
            return
        } catch ProviderFailure.keyRefused {
            // The API says 403 of a file that is not there, too. A key that it does not accept cannot list any.
            _ = try await persist(GeminiProtocol.list(declaration), until: deadline)
        }
    }

    /// Takes a file back in a task of its own, which nobody cancels.
    private func isTakenBack(_ name: UUID) async -> Bool {
        do {
            try await Loop.task { try await self.takeBack(name) }.value
            return true
        } catch {
            return false
        }
    }

    /// - Throws: ``ProviderFailure`` when the question was not put; what `file.piece` throws; `CancellationError`.
    private func lend(
        _ file: LentFile, for question: ModelQuestion, _ model: ProviderDeclaration.Video, _ alone: Bool,
        until deadline: ContinuousClock.Instant
    ) async throws -> Outcome<ModelAnswer> {
        let uploaded = try await upload(file, until: deadline)
        let ready = try await ready(uploaded, file.name, until: deadline)
        return try await answer(
            GeminiProtocol.answer(to: question, about: ready, by: model.chat, declaration), model.chat, model.price,
            most: most(of: question, about: file, with: model), within: deadline - .now, alone)
    }

    // MARK: Uploading

    private func upload(_ file: LentFile, until deadline: ContinuousClock.Instant) async throws -> GeminiFile {
        let started = try await persist(GeminiProtocol.start(file, declaration), until: deadline)
        guard let address = started.header("x-goog-upload-url").flatMap({ GeminiProtocol.address($0, at: declaration) })
        else { throw ProviderFailure.unreadable(.form) }
        var (offset, tries) = (Int64(0), 0)
        while true {
            let count = min(Self.piece, file.size - offset)
            let isLast = offset + count == file.size
            let bytes = try await file.piece(offset, Int(count))
            do {
                let answer = try await exchange(
                    GeminiProtocol.upload(bytes, from: offset, isLast: isLast, to: address, declaration),
                    within: deadline - .now)
                switch (answer.header("x-goog-upload-status"), isLast) {
                case ("active", false): offset += count
                case ("final", true): return try Self.file(answer, file.name) { $0["file"] }
                default: throw ProviderFailure.unreadable(.form)
                }
            } catch let failure as ProviderFailure {
                tries += 1
                try await pause(after: failure, tries, until: deadline)
                // How much has come only the provider knows.
                let known = try await persist(GeminiProtocol.query(address, declaration), until: deadline)
                switch known.header("x-goog-upload-status") {
                case "active":
                    guard let came = known.header("x-goog-upload-size-received").flatMap({ Int64($0) }),
                        (0...file.size).contains(came)
                    else { throw ProviderFailure.unreadable(.form) }
                    offset = came
                case "final": return try await look(at: file.name, until: deadline)
                default: throw failure
                }
            }
        }
    }

    private func ready(
        _ uploaded: GeminiFile, _ name: UUID, until deadline: ContinuousClock.Instant
    ) async throws -> GeminiFile {
        var (file, looks) = (uploaded, 0)
        while file.state == .processing {
            looks += 1
            let pause = plan.first * min(looks, 5)
            guard pause < deadline - .now else { throw ProviderFailure.overdue }
            try await Loop.sleep(for: pause)
            file = try await look(at: name, until: deadline)
        }
        if file.state == .failed { throw ProviderFailure.unusableFile }
        return file
    }

    private func look(at name: UUID, until deadline: ContinuousClock.Instant) async throws -> GeminiFile {
        try Self.file(try await persist(GeminiProtocol.look(at: name, declaration), until: deadline), name) { $0 }
    }

    private static func file(
        _ answer: HTTPClientResponse, _ name: UUID, _ place: (JSONValue) -> JSONValue?
    ) throws(ProviderFailure) -> GeminiFile {
        guard let value = try? JSONValue.parse(answer.body, limits: .foreign) else { throw .unreadable(.notJSON) }
        do throws(AnswerFault) { return try GeminiFile(place(value), named: name) } catch { throw .unreadable(error) }
    }

    // MARK: What costs nothing

    /// Sends a request, and again after whatever may pass.
    ///
    /// - Throws: ``ProviderFailure`` or `CancellationError`.
    private func persist(
        _ request: HTTPClientRequest, until deadline: ContinuousClock.Instant
    ) async throws -> HTTPClientResponse {
        var tries = 0
        while true {
            do { return try await exchange(request, within: deadline - .now) } catch let failure as ProviderFailure {
                tries += 1
                try await pause(after: failure, tries, until: deadline)
            }
        }
    }

    /// Waits until the same may be sent again.
    ///
    /// - Throws: the failure, when it is not to be.
    private func pause(
        after failure: ProviderFailure, _ tries: Int, until deadline: ContinuousClock.Instant
    ) async throws {
        // Nobody charges for it, so it does not matter whether it was done.
        let free: ProviderFailure =
            switch failure {
            case .cut: .unreachable
            case .unavailable(_, let after): .unavailable(status: 503, after: after)
            default: failure
            }
        guard let pause = plan.pause(after: free, attempt: tries, left: deadline - .now, luck: chance()) else {
            throw failure
        }
        try await Loop.sleep(for: pause)
    }
}
