package import EventStore

extension Migration {
    /// The outbox's objects.
    package static let mail = [Migration("mail_outbox", PackageResources.mail_outbox_sql)]
}
