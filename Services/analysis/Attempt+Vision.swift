import Contracts
import JSON
import Measuring
import Observability
import Primitives
import Processes
import Providers
import Runtime

/// Having a provider look at what was measured: posture, gestures and expression, which nothing here judges.
///
/// It is asked after the measuring: a recording that cannot be used is shown to nobody. Who may have the whole of it is asked first, and who may
/// have pictures where that has no answer. Of what comes back three numbers are believed, so whatever is said or shown there, nothing else
/// changes; and whatever goes wrong, what was measured stands.
extension Attempt {
    /// How long providers are asked about a whole recording, and about pictures, all together.
    private static let patience = (recording: Duration.seconds(240), pictures: Duration.seconds(90))
    /// The percentage of the time from which another face is in the picture.
    private static let shared = 10.0

    /// What was measured, with what a provider sees, now or before; as it was where no provider is there for that.
    func seeing(
        _ measured: JSONObject, _ claim: Claim, _ file: String, _ folder: String, _ seconds: Int64
    ) async -> JSONObject {
        let isOffered = tools.providers.contains { provider in
            Job.seeing.contains { provider.declaration.isAsked(for: $0) }
        }
        guard isOffered || claim.sight != nil,
            let found = try? await Offload.shared.run({ try Measurements(measured) }), found.unusable == nil
        else { return measured }
        do {
            return try await seen(found, claim, file, folder, seconds).added(to: measured)
        } catch {
            tools.log.warning("nobody has looked at a recording", ["reason": .string("\(error)")])
            return SeenMeasures.none(.noAnswer).added(to: measured)
        }
    }

    private func seen(
        _ found: Measurements, _ claim: Claim, _ file: String, _ folder: String, _ seconds: Int64
    ) async throws -> SeenMeasures {
        if claim.isLast { return .none(.noAnswer) }
        if let known = claim.sight { return try await stored(known) ?? .none(.noAnswer) }
        if let reason = Self.obstacle(found) { return .none(reason) }
        guard try await isConsented(claim) else { return .none(.consentRequired) }
        let ofAll = try await answer(claim, within: Self.patience.recording) {
            RecordingQuestion(
                claim.order.media, milliseconds: found.durationMs, tools.objects, tools.store)
        }
        if let ofAll { return ofAll }
        let ofPictures = try await answer(claim, within: Self.patience.pictures) {
            try await pictures(file, folder, seconds).map(PictureQuestion.init)
        }
        return ofPictures ?? .none(.noAnswer)
    }

    /// Why nobody is shown a recording; nil where nothing is in the way.
    private static func obstacle(_ found: Measurements) -> SeenMeasures.Reason? {
        // Whoever else is in the picture has agreed to nothing.
        let others = found.quantity("severalFacesPct")
        guard let share = others?.number else {
            return others?.reason == "no-face" ? .notInPictures : .picturesUnclear
        }
        return share >= shared ? .secondFace : nil
    }

    private func pictures(_ file: String, _ folder: String, _ seconds: Int64) async throws -> [RecordingPicture]? {
        let helper = tools.settings.mediaHelper
        return try await taken(
            out: seconds,
            by: { () throws(ProcessError) in
                try helper.startPictures(input: file, scratch: folder, maxSeconds: seconds)
            }, helper.pictures)
    }

    // MARK: Emotions

    /// What was measured, with the emotions that a provider finds in pictures, now or before; as it was where no policy lets anybody be asked,
    /// its owner does not, or nobody has an answer.
    func feeling(
        _ measured: JSONObject, _ claim: Claim, _ file: String, _ folder: String, _ seconds: Int64
    ) async -> JSONObject {
        // What was answered while there was a policy counts for nothing without one.
        let isAllowed = tools.providers.contains { $0.declaration.emotions != nil && !$0.declaration.isOff }
        guard isAllowed, !claim.isLast, let found = try? await Offload.shared.run({ try Measurements(measured) }),
            found.unusable == nil, Self.obstacle(found) == nil
        else { return measured }
        do {
            let felt: SeenEmotions?
            if let known = claim.answer(for: .emotions) {
                felt = try await stored(known)
            } else {
                felt = try await answer(claim, within: Self.patience.pictures) {
                    try await pictures(file, folder, seconds).map(EmotionQuestion.init)
                }
            }
            return felt?.added(to: measured) ?? measured
        } catch {
            tools.log.warning("nobody has looked for emotions", ["reason": .string("\(error)")])
            return measured
        }
    }

    /// Whether any of the providers may have the recording of the owner's, or pictures of it.
    private func isConsented(_ claim: Claim) async throws -> Bool {
        for provider in tools.providers {
            for purpose in Job.seeing where provider.declaration.isAsked(for: purpose) {
                let scope = ConsentScope(provider: provider.declaration.name, purpose: purpose)
                if try await Consented.isAllowed(scope, claim.job.ownerId, tools.store) { return true }
            }
        }
        return false
    }
}

extension Attempt.Claim {
    /// What was seen in an earlier attempt.
    fileprivate var sight: DocumentReference? { Job.seeing.compactMap(answer).first }
}

extension ProviderDeclaration {
    /// Whether it would be asked what somebody has to see.
    fileprivate func isAsked(for purpose: ConsentPurpose) -> Bool {
        guard !isOff else { return false }
        return purpose == .video ? video != nil : purpose == .vision && vision != nil
    }
}
