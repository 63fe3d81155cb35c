import Contracts
import Glibc
import Measuring
import Observability
import Primitives
import Processes
import Providers
import Runtime

/// Having a provider write down what is said. Whatever goes wrong, the helper finds the words itself.
extension Attempt {
    /// How long providers are asked to write down what is said, all together.
    private static let patience = Duration.seconds(180)

    /// The file with what a provider has written down, now or before; nil when the helper is to find the words itself.
    ///
    /// - Throws: as ``answer(_:within:to:)``.
    func words(_ claim: Claim, _ file: String, _ folder: String, _ seconds: Int64) async throws -> String? {
        // A stranger's words may be what the attempts before this one have failed of; nobody loses a report over them.
        guard !claim.isLast, let heard = try await heard(claim, file, folder, seconds) else { return nil }
        let path = "\(folder)/words"
        let isWritten = try await Offload.shared.run { write(heard.text, to: path) }
        return isWritten ? path : nil
    }

    private func heard(
        _ claim: Claim, _ file: String, _ folder: String, _ seconds: Int64
    ) async throws -> HeardWords? {
        if let known = claim.answer(for: .transcription) { return try await stored(known) }
        let helper = tools.settings.mediaHelper
        return try await answer(claim, within: Self.patience) { () async throws -> SoundQuestion? in
            if try await FutileCalls.areMany(of: claim.job.ownerId, tools.store) {
                tools.log.notice("no provider is asked: what was paid for before came to nothing too often")
                return nil
            }
            let sound = try await taken(
                out: seconds,
                by: { () throws(ProcessError) in
                    try helper.startSound(input: file, scratch: folder, maxSeconds: seconds)
                }, helper.sound)
            return sound.map(SoundQuestion.init)
        }
    }
}

/// Writes a new file for its owner alone; false when that is impossible.
private nonisolated func write(_ text: String, to path: String) -> Bool {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return false }
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
        let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
        if count <= 0 { break }
        rest = rest.dropFirst(count)
    }
    return close(descriptor) == 0 && rest.isEmpty
}
