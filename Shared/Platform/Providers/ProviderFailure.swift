/// Why a provider's call came to nothing.
package enum ProviderFailure: Error, Sendable, Equatable {
    /// There was no connection, so nothing was sent.
    case unreachable
    /// The provider's certificate was not accepted, so nothing was sent.
    case untrusted
    /// The provider's circuit is open; nothing was sent.
    case paused
    /// The deadline passed.
    case overdue
    /// The connection broke before the answer was complete.
    case cut
    /// The provider asks to come again later (429).
    ///
    /// - after: how long it wants to be left alone; nil when it does not say.
    case throttled(after: Duration?)
    /// The provider has a trouble of its own (408, 5xx).
    case unavailable(status: Int, after: Duration?)
    /// The provider does not accept the key (401, 403).
    case keyRefused
    /// The provider does not take this request (any other status but 2xx).
    case refused(status: Int)
    /// The answer is larger than any good one.
    case tooLarge
    /// The answer is not what was asked for.
    case unreadable(AnswerFault)
    /// The provider cannot make anything of the file that it got.
    case unusableFile
    /// The file that was to be sent cannot be read here.
    case lostFile
    /// The request cannot be sent as it is configured.
    case invalidRequest

    /// The stable code, for events, metrics and logs.
    package var code: String {
        switch self {
        case .unreachable: "unreachable"
        case .untrusted: "untrusted"
        case .paused: "paused"
        case .overdue: "overdue"
        case .cut: "cut"
        case .throttled: "throttled"
        case .unavailable: "unavailable"
        case .keyRefused: "key-refused"
        case .refused: "refused"
        case .tooLarge: "too-large"
        case .unreadable(let fault): "unreadable-\(fault.rawValue)"
        case .unusableFile: "unusable-file"
        case .lostFile: "lost-file"
        case .invalidRequest: "invalid-request"
        }
    }

    /// A sentence for operators that says what to do next. It has nothing of the request and nothing of the answer.
    package var advice: String {
        switch self {
        case .unreachable: "There is no connection to the provider; check its url and this host's way out."
        case .untrusted:
            "The provider's certificate is not accepted; check its url, or the authorities in SSL_CERT_FILE."
        case .paused: "The provider failed too often and is left alone for a while; wait half a minute."
        case .overdue: "The provider took too long; try again later, or raise its deadlineSeconds."
        case .cut: "The connection broke before the answer was complete; try again later."
        case .throttled: "The provider wants fewer calls; wait, or ask it for more."
        case .unavailable(let status, _): "The provider answered \(status); try again later."
        case .keyRefused: "The provider does not accept the key; correct the file that keyFile names."
        case .refused(let status): "The provider answered \(status); correct its url or model."
        case .tooLarge: "The answer is larger than any good one; check that url is an API of this protocol."
        case .unreadable(let fault):
            "The answer cannot be used (\(fault.words)); check that the model does what it is asked for."
        case .unusableFile: "The provider cannot read the file; send it a recording in a form that it knows."
        case .lostFile: "The file to be sent cannot be read here; see that the object store answers."
        case .invalidRequest: "The request cannot be sent; correct the provider's url."
        }
    }

    /// Statuses of a gateway that got no good answer of the server behind it, which may have done the work: 502 and 504 of RFC 9110, and those
    /// of Cloudflare for the same.
    private static let statusesOfGateways: Set<Int> = [502, 504, 520, 524]

    /// Whether the same call may be sent again at once: it has certainly cost nothing, and may succeed.
    package var isWorthAnotherTry: Bool {
        switch self {
        case .unreachable, .throttled: true
        case .unavailable(let status, _): !Self.statusesOfGateways.contains(status)
        case .untrusted, .paused, .overdue, .cut, .keyRefused, .refused, .tooLarge, .unreadable, .unusableFile,
            .lostFile, .invalidRequest:
            false
        }
    }

    /// Whether the provider may have done the work and charge for it.
    package var mayBePaid: Bool {
        switch self {
        case .overdue, .cut, .tooLarge, .unreadable: true
        case .unavailable(let status, _): Self.statusesOfGateways.contains(status)
        case .unreachable, .untrusted, .paused, .throttled, .keyRefused, .refused, .unusableFile, .lostFile,
            .invalidRequest:
            false
        }
    }

    /// Whether it says that the provider is in trouble, rather than that it did not like one request.
    package var countsAgainstProvider: Bool {
        switch self {
        case .unreachable, .untrusted, .overdue, .cut, .throttled, .unavailable, .keyRefused, .tooLarge: true
        case .unreadable(let fault): fault.countsAgainstProvider
        case .paused, .refused, .unusableFile, .lostFile, .invalidRequest: false
        }
    }

    /// The same by the code of a call that has ended; false for any that is none of a failure.
    package static func countsAgainstProvider(code: String) -> Bool {
        let faults = AnswerFault.allCases.map { ProviderFailure.unreadable($0) }
        let all: [ProviderFailure] =
            [
                .unreachable, .untrusted, .paused, .overdue, .cut, .throttled(after: nil),
                .unavailable(status: 500, after: nil), .keyRefused, .refused(status: 400), .tooLarge,
                .unusableFile, .lostFile, .invalidRequest,
            ] + faults
        return all.first { $0.code == code }?.countsAgainstProvider ?? false
    }

    /// How long the provider wants to be left alone; nil when it did not say.
    package var pause: Duration? {
        switch self {
        case .throttled(let after), .unavailable(_, let after): after
        default: nil
        }
    }
}

/// What is wrong with an answer.
package enum AnswerFault: String, Error, Sendable, Equatable, CaseIterable {
    /// It is no JSON, or more than JSON.
    case notJSON = "not-json"
    /// A member is missing or has another type.
    case form
    /// A number lies where it cannot.
    case range
    /// There is more of something than there can be.
    case excess
    /// The model stopped in the middle.
    case truncated
    /// The model refused, or its answer was withheld.
    case withheld
    /// It is not said to be sound, or does not begin as sound of its form does.
    case notAudio = "not-audio"

    /// Whether it says that the provider is in trouble. What somebody says or shows can make a model refuse, go on without end or hear too
    /// much: if that counted, a few recordings would close the way for everybody.
    package var countsAgainstProvider: Bool {
        switch self {
        case .notJSON, .form, .notAudio: true
        case .range, .excess, .truncated, .withheld: false
        }
    }

    /// The same in words.
    package var words: String {
        switch self {
        case .notJSON: "it is no JSON"
        case .form: "a member is missing or has another type"
        case .range: "a number lies where it cannot"
        case .excess: "there is more in it than there can be"
        case .truncated: "it ends in the middle"
        case .withheld: "the model refused"
        case .notAudio: "it is no sound of the form that was asked for"
        }
    }
}
