package import Contracts
package import Primitives

/// What can be asked of a session: by its owner, by the clock, by messages of other services.
///
/// Commands of owners name who asks; a stranger gets the answer of an unknown session.
package enum SessionCommand: Sendable, Equatable {
    // Owners.

    /// Begin a session; quota decides whether it is admitted.
    case create(SessionIdentity, SessionCreation)
    /// The bytes lie in the store; before finalizing, a later upload takes the place of an earlier one.
    case storeUpload(by: UUID, MediaReference)
    /// The upload is what it should be: start the work.
    ///
    /// `uploaded` is the key of the upload that was sealed, `sealed` the key under which no upload can reach it, and `sha256`
    /// that of the sealed bytes where sealing changed them; after `deadline` the session fails when nobody has answered.
    case finalize(by: UUID, uploaded: String, sealed: String, sha256: String? = nil, deadline: Timestamp)
    /// End it without a result.
    case cancel(by: UUID)
    /// End it, if it has not ended, in favour of another session of the same owner; one append with that one's creation.
    case giveWay(by: UUID, to: UUID)
    /// Remove it with all that belongs to it.
    case delete(by: UUID)

    /// Remove its bytes, if nobody works on them: before it is finalized, or after its completion what is kept.
    case removeUpload(by: UUID)

    // The clock.

    /// End it when its time for uploading is over.
    case expire(at: Timestamp)
    /// Fail it when its processing deadline is over.
    case failOverdue(at: Timestamp)
    /// Keep the recording of a completed session until a moment at most, and no longer when that has come.
    case limitMedia(until: Timestamp, at: Timestamp)

    // Other services.

    case quotaReserved(QuotaReserved)
    /// The same of an allowance with several windows.
    case quotaReservedInWindows(QuotaReservedV2)
    case quotaRefused(QuotaRefused)
    case analysisStarted(AnalysisStarted)
    case analysisProgressed(AnalysisProgressed)
    case analysisFailed(AnalysisFailed)
    /// With how long its owner keeps recordings now.
    case reportReady(ReportReady, keeping: MediaPeriod = .none)
    case reportFailed(ReportFailed)

    // Erasure.

    /// The owner is erased: forget the session.
    case erase
    /// Everything of an erased user is gone; put to the stream `subject-<user id>`.
    case recordErasure(subject: UUID, removed: SubjectErased.Removed)
}

/// Why a command to a session is refused.
package enum SessionRefusal: Error, Sendable, Equatable, CaseIterable {
    /// There is no such session, or it is not the caller's; both look the same.
    case unknown
    /// Another session was created under this id.
    case exists
    /// Quota has not decided yet; wait for `awaitingUpload`.
    case notAdmitted
    /// It has ended; create another.
    case ended
    /// There is nothing to finalize; upload first.
    case uploadMissing
    /// The upload was finalized and cannot change any more.
    case uploadSealed
    /// The upload has another size or hash than announced.
    case uploadMismatch
    /// A newer upload took the place of the one that was to be finalized; finalize again.
    case uploadChanged
    /// As many files were uploaded to it as may be; finalize the last one, or create another session.
    case uploadsUsedUp
}
