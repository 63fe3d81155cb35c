import Contracts
package import ServiceKit

extension Job {
    /// What messages of other services mean here; kinds that are not analyzed are ignored.
    package static let reactions = Reactions<Job, NoResources>(
        .on(UploadFinalized.self) { message in
            guard AnalyzedKinds.all.contains(message.kind) else { return .ignore }
            let order = JobOrder(
                kind: message.kind, media: message.media, maxDurationSeconds: message.maxDurationSeconds,
                brief: message.brief)
            return .apply(stream(message.sessionId), .queue(message.reference, order))
        },
        .on(SessionCancelled.self) { cancel($0, .cancelled) },
        .on(SessionFailed.self) { cancel($0, .failed) },
        .on(SessionExpired.self) { cancel($0, .expired) },
        .on(SessionDeleted.self) { cancel($0, .deleted) },
        .erasure,
        .consent,
        .consentWithdrawal,
        ignoring: [
            // A job begins with the recording, and a session is completed by its job's own result.
            SessionCreated.type, SessionCompleted.type,
            // Nothing was recorded of it.
            SessionLogged.type, SessionCorrected.type, SessionWithdrawn.type,
            // A user is known by the id alone.
            UserRegistered.type, UserProfileChanged.type,
            // Only what was logged is handed over, never a recording.
            DeviceHandedOver.type, DeviceHandedOverV2.type,
            // What a device's secret opens ends with its login sessions.
            DeviceSecretRevoked.type,
            // A recording is kept or removed after the work on it.
            MediaKept.type, MediaRemoved.type,
        ])

    private static func cancel(_ message: some SessionMessage, _ reason: DiscardReason) -> Reaction<JobCommand> {
        .apply(stream(message.sessionId), .cancel(message.reference, reason))
    }
}
