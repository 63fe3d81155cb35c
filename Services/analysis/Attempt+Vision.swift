import Contracts
import JSON
import Measuring
import Observability
import Primitives
import Processes
import Providers
import Runtime

/// Having a provider look at some pictures of what was measured: posture, gestures and expression, which nothing here judges.
///
/// It is asked after the measuring: nobody is shown pictures of a recording that cannot be used. Of what comes back three numbers are
/// believed, so whatever the pictures say, nothing else changes; and whatever goes wrong, what was measured stands.
extension Attempt {
    /// How long providers are asked about pictures, all together.
    private static let patience: Duration = .seconds(90)
    /// The percentage of the time from which another face is in the picture.
    private static let shared = 10.0

    /// What was measured, with what a provider sees, now or before; as it was where no provider is there for that.
    func seeing(
        _ measured: JSONObject, _ claim: Claim, _ file: String, _ folder: String, _ seconds: Int64
    ) async -> JSONObject {
        let isOffered = tools.providers.contains { $0.declaration.vision != nil && !$0.declaration.isOff }
        guard isOffered || claim.answer(for: .vision) != nil,
            let found = try? await Offload.shared.run({ try Measurements(measured) }), found.unusable == nil
        else { return measured }
        do {
            return try await seen(found, claim, file, folder, seconds).added(to: measured)
        } catch {
            tools.log.warning("nobody has looked at pictures", ["reason": .string("\(error)")])
            return SeenMeasures.none(.noAnswer).added(to: measured)
        }
    }

    private func seen(
        _ found: Measurements, _ claim: Claim, _ file: String, _ folder: String, _ seconds: Int64
    ) async throws -> SeenMeasures {
        if claim.isLast { return .none(.noAnswer) }
        if let known = claim.answer(for: .vision) { return try await stored(known) ?? .none(.noAnswer) }
        // Whoever else is in the picture has agreed to nothing.
        let others = found.quantity("severalFacesPct")
        guard let share = others?.number else {
            return .none(others?.reason == "no-face" ? .notInPictures : .picturesUnclear)
        }
        if share >= Self.shared { return .none(.secondFace) }
        guard try await isConsented(claim) else { return .none(.consentRequired) }
        let helper = tools.settings.mediaHelper
        let seen = try await answer(claim, until: .now + Self.patience) {
            let pictures = await taken(
                out: seconds,
                by: { () throws(ProcessError) in
                    try helper.startPictures(input: file, scratch: folder, maxSeconds: seconds)
                }, helper.pictures)
            return pictures.map(PictureQuestion.init)
        }
        return seen ?? .none(.noAnswer)
    }

    /// Whether any of the providers may have pictures of the owner's.
    private func isConsented(_ claim: Claim) async throws -> Bool {
        for provider in tools.providers where provider.declaration.vision != nil && !provider.declaration.isOff {
            let scope = ConsentScope(provider: provider.declaration.name, purpose: .vision)
            if try await Consented.isAllowed(scope, claim.job.ownerId, tools.store) { return true }
        }
        return false
    }
}
