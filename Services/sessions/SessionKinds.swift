import Contracts
import ServiceKit
import Uploads

/// What a session of some kind begins with: a file that its owner uploads.
struct UploadRules: Sendable, Hashable {
    /// What the file may be.
    let mediaTypes: Set<MediaType>
    /// The largest file, in bytes; nil for no other limit than that of all uploads.
    let limitBytes: Int64?
    /// The longest recording that a client can ask for; nil when the kind's files have no length.
    let maxDurationSeconds: Int64?
    /// For how many days a recording can be kept at most; nil for no other limit than that of all recordings.
    var keptDays: Int64?
}

/// What a session of some kind is that is logged when it is over.
struct LoggedRules: Sendable, Hashable {
    /// The longest time that can be practised in one session, in seconds.
    let maxActiveSeconds: Int64
}

/// The kinds of session that can be created or logged, declared here alone: everything else takes them as they come.
struct SessionKinds: Sendable, Hashable {
    private let uploads: [SessionKind: UploadRules]
    private let logged: [SessionKind: LoggedRules]

    init(_ uploads: [SessionKind: UploadRules], logged: [SessionKind: LoggedRules] = [:]) {
        self.uploads = uploads
        self.logged = logged
    }

    /// Those that the service brings with it: `Kinds/kinds.json`.
    static let builtIn = SettingsFileReader.builtIn("Kinds/kinds.json", PackageResources.kinds_json, KindFile.read)

    /// What a session of a kind begins with; nil for a kind that cannot be created.
    func upload(of kind: SessionKind) -> UploadRules? { uploads[kind] }

    /// The kinds whose sessions begin with an upload, by name.
    var uploaded: [SessionKind] { uploads.keys.sorted { $0.rawValue < $1.rawValue } }

    /// What can be logged of a kind; nil for a kind that is not logged.
    func logged(of kind: SessionKind) -> LoggedRules? { logged[kind] }
}
