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
        // Whoever else is in the picture has agreed to nothing.
        let others = found.quantity("severalFacesPct")
        guard let share = others?.number else {
            return .none(others?.reason == "no-face" ? .notInPictures : .picturesUnclear)
        }
        if share >= Self.shared { return .none(.secondFace) }
        guard try await isConsented(claim) else { return .none(.consentRequired) }
        let ofAll = try await answer(claim, until: .now + Self.patience.recording) {
            RecordingQuestion(
                claim.order.media, milliseconds: found.durationMs, tools.objects, tools.store)
        }
        if let ofAll { return ofAll }
        let helper = tools.settings.mediaHelper
        let ofPictures = try await answer(claim, until: .now + Self.patience.pictures) {
            let pictures = await taken(
                out: seconds,
                by: { () throws(ProcessError) in
                    try helper.startPictures(input: file, scratch: folder, maxSeconds: seconds)
                }, helper.pictures)
            return pictures.map(PictureQuestion.init)
        }
        return ofPictures ?? .none(.noAnswer)
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
