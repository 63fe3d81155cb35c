import EventStore

/// Which jobs belong to whom, in the table `job_owners`. Programs of release 1 find there what an erasure removes, so it is
/// written as long as one of them may run beside this one; this one asks the log's own `stream_owners`.
enum JobOwners {
    /// Notes whose a job is: session, owner.
    static let own = RowFunction("own_job", .uuid("sessionId"), .uuid("ownerId"))
    /// Removes the rows of a subject.
    static let forget = RowFunction("forget_subject", .uuid("subject"))

    static let all = [own.declaration, forget.declaration]
}
