package import ObjectStorage

/// The first words of the keys of all objects: each folder is written by one service.
package enum ObjectFolder: String, Sendable, CaseIterable {
    /// What clients upload, until it is sealed.
    case uploads
    /// Sealed recordings, which no client can write to.
    case media
    /// What was measured in a recording.
    case documents
    /// What each service writes for exports of all that somebody has, until the export is over.
    case exportsOfIdentity = "export-identity"
    case exportsOfSessions = "export-sessions"
    case exportsOfQuota = "export-quota"
    case exportsOfReporting = "export-reporting"

    /// The key of an object in the folder.
    package func key(_ rest: String) -> String { "\(rawValue)/\(rest)" }
}

/// What a service does in the object store.
package struct ObjectAccess: Sendable, Equatable {
    /// Where it writes and deletes.
    package let owns: [ObjectFolder]
    /// What it only reads.
    package let reads: [ObjectFolder]

    package init(owns: [ObjectFolder] = [], reads: [ObjectFolder] = []) {
        self.owns = owns
        self.reads = reads
    }

    /// The same as rights of a user of the S3 server.
    package func grants(to user: String) -> [BucketGrant] {
        owns.map { BucketGrant(user, owns: $0.key("")) } + reads.map { BucketGrant(user, reads: $0.key("")) }
    }
}
