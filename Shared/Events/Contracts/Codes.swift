/// What a session records.
package struct SessionKind: OpenCode {
    package let rawValue: String
    package init(rawValue: String) { self.rawValue = rawValue }

    /// A speaking video that becomes a coaching report.
    package static let mirrormate = SessionKind(rawValue: "mirrormate")
    /// A meditation, logged when it is over.
    package static let meditation = SessionKind(rawValue: "meditation")
}

/// The name of a plan: what somebody may do and how often.
package struct PlanCode: OpenCode {
    package let rawValue: String
    package init(rawValue: String) { self.rawValue = rawValue }

    package static let free = PlanCode(rawValue: "free")
    package static let premium = PlanCode(rawValue: "premium")
}

/// Why quota refused.
package struct QuotaRefusalCode: OpenCode {
    package let rawValue: String
    package init(rawValue: String) { self.rawValue = rawValue }

    /// All units of the window are used; wait for `resetsAt`.
    package static let quotaExceeded = QuotaRefusalCode(rawValue: "quota-exceeded")
    /// The last unit is held by a session that has not ended; finish, cancel or replace it.
    package static let sessionOpen = QuotaRefusalCode(rawValue: "session-open")
}

/// Which limit of an allowance is meant.
package struct WindowCode: OpenCode {
    package let rawValue: String
    package init(rawValue: String) { self.rawValue = rawValue }

    /// An hour from its first use on.
    package static let hour = WindowCode(rawValue: "hour")
    /// The owner's local day.
    package static let localDay = WindowCode(rawValue: "local-day")
    /// How many sessions may be open at the same time.
    package static let atOnce = WindowCode(rawValue: "at-once")
    /// How many may begin within a short stretch of time.
    package static let burst = WindowCode(rawValue: "burst")
}

/// What somebody speaks for.
package struct SpeakingScenario: OpenCode {
    package let rawValue: String
    package init(rawValue: String) { self.rawValue = rawValue }

    /// Nothing is known about it.
    package static let general = SpeakingScenario(rawValue: "general")
    package static let interview = SpeakingScenario(rawValue: "interview")
    package static let pitch = SpeakingScenario(rawValue: "pitch")
    package static let casual = SpeakingScenario(rawValue: "casual")

    /// Those that a client can choose.
    package static let all: [SpeakingScenario] = [.general, .interview, .pitch, .casual]
}

/// Why a reservation was given back.
package struct ReleaseReason: OpenCode {
    package let rawValue: String
    package init(rawValue: String) { self.rawValue = rawValue }

    package static let failed = ReleaseReason(rawValue: "failed")
    package static let cancelled = ReleaseReason(rawValue: "cancelled")
    package static let expired = ReleaseReason(rawValue: "expired")
    package static let deleted = ReleaseReason(rawValue: "deleted")
    /// The session failed because its recording cannot be used at all, which is forgiven a few times a window.
    package static let unusable = ReleaseReason(rawValue: "unusable")
    /// The session's own store no longer knows the session after a restore.
    package static let orphaned = ReleaseReason(rawValue: "orphaned")
}

/// Why a login session was ended before its time.
package struct LoginEnding: OpenCode {
    package let rawValue: String
    package init(rawValue: String) { self.rawValue = rawValue }

    package static let signedOut = LoginEnding(rawValue: "signed-out")
    /// Another login session of the user changed the password.
    package static let passwordChanged = LoginEnding(rawValue: "password-changed")
    /// The password was replaced by means of a mailed code.
    package static let passwordReset = LoginEnding(rawValue: "password-reset")
    /// The user has a second factor since, and it began without.
    package static let secondFactorAdded = LoginEnding(rawValue: "second-factor-added")
    /// A refresh token came back that had been used before.
    package static let tokenReused = LoginEnding(rawValue: "refresh-token-reused")
    /// The user began more login sessions than one may have, and it was unused for longest.
    package static let tooMany = LoginEnding(rawValue: "too-many")
    /// The identity at another provider with which it began was unlinked.
    package static let identityUnlinked = LoginEnding(rawValue: "identity-unlinked")
    /// Whoever runs the server does not let its user in any more.
    package static let notAdmitted = LoginEnding(rawValue: "not-admitted")
    /// A restore of identity has forgotten it.
    package static let forgotten = LoginEnding(rawValue: "forgotten")
}

/// An app's own routes, on which its token counts.
package struct AppSurface: OpenCode {
    package let rawValue: String
    package init(rawValue: String) { self.rawValue = rawValue }

    /// The practice timer: `/api/auth`, `/api/sessions`, `/api/analytics`.
    package static let practice = AppSurface(rawValue: "practice")
}

/// Whom an API key of the compatible surface stands for.
package struct APIKeyRole: OpenCode {
    package let rawValue: String
    package init(rawValue: String) { self.rawValue = rawValue }

    /// Whoever has the client: the key is in every copy of an app.
    package static let anon = APIKeyRole(rawValue: "anon")
    /// The operator's own server.
    package static let service = APIKeyRole(rawValue: "service_role")
}

/// Why nobody wants what is made of a session, its analysis or its report, any more.
package struct DiscardReason: OpenCode {
    package let rawValue: String
    package init(rawValue: String) { self.rawValue = rawValue }

    package static let cancelled = DiscardReason(rawValue: "session-cancelled")
    package static let failed = DiscardReason(rawValue: "session-failed")
    package static let expired = DiscardReason(rawValue: "session-expired")
    package static let deleted = DiscardReason(rawValue: "session-deleted")
    /// The session's own store no longer knows the session after a restore.
    package static let orphaned = DiscardReason(rawValue: "session-orphaned")
}

/// Why a session, its analysis or its report failed; `sessions` shows it to clients as the error's stable code.
package struct FailureCode: OpenCode {
    package let rawValue: String
    package init(rawValue: String) { self.rawValue = rawValue }

    /// No outcome arrived before the processing deadline.
    package static let processingTimeout = FailureCode(rawValue: "processing-timeout")

    // Of recordings that cannot be used at all.

    /// It is shorter than three seconds.
    package static let tooShort = FailureCode(rawValue: "too-short")
    /// There is sound, and nobody speaks.
    package static let noSpeech = FailureCode(rawValue: "no-speech")
    /// There is no sound where some was promised, or neither sound nor a face.
    package static let noSound = FailureCode(rawValue: "no-sound")
    /// The picture is black from beginning to end.
    package static let blackPicture = FailureCode(rawValue: "black-picture")

    /// Whether it is a whole and readable recording that cannot be used at all.
    package var isOfUnusableRecording: Bool {
        [.tooShort, .noSpeech, .noSound, .blackPicture].contains(self)
    }
}

/// A stage of analysis, for the progress display.
package struct AnalysisStage: OpenCode {
    package let rawValue: String
    package init(rawValue: String) { self.rawValue = rawValue }

    package static let probe = AnalysisStage(rawValue: "probe")
    package static let decode = AnalysisStage(rawValue: "decode")
    package static let transcribe = AnalysisStage(rawValue: "transcribe")
    package static let voice = AnalysisStage(rawValue: "voice")
    package static let picture = AnalysisStage(rawValue: "picture")
    package static let measure = AnalysisStage(rawValue: "measure")
    /// Of no analysis: what was measured is judged and written down.
    package static let report = AnalysisStage(rawValue: "report")

    /// The stages in the order in which they are told.
    package static let inOrder: [AnalysisStage] = [.probe, .decode, .transcribe, .voice, .picture, .report]

    /// What is under way once this one is done; nil for one that is not known here, and after the last.
    package var next: AnalysisStage? {
        guard let place = Self.inOrder.firstIndex(of: self) else { return nil }
        return Self.inOrder.dropFirst(place + 1).first
    }
}

/// How a user came to be.
package struct UserKind: OpenCode {
    package let rawValue: String
    package init(rawValue: String) { self.rawValue = rawValue }

    /// A person with credentials.
    package static let user = UserKind(rawValue: "user")
    /// An anonymous device.
    package static let device = UserKind(rawValue: "device")
}

/// Why a logged session no longer counts on a day.
package struct WithdrawalReason: OpenCode {
    package let rawValue: String
    package init(rawValue: String) { self.rawValue = rawValue }

    /// Its owner has deleted it.
    package static let deleted = WithdrawalReason(rawValue: "deleted")
    /// A correction moved it to another day; the next message logs it there.
    package static let moved = WithdrawalReason(rawValue: "moved")
    /// It is another owner's, because an anonymous device was handed over to an account; the next message logs it there.
    package static let handedOver = WithdrawalReason(rawValue: "handed-over")
    /// The account to which its anonymous device was handed over has told the same sitting, which counts there.
    package static let repeated = WithdrawalReason(rawValue: "repeated")
}
