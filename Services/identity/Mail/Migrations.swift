package import EventStore

extension Migration {
    /// The outbox's objects.
    package static let mail = [Migration("mail_outbox", PackageResources.mail_outbox_sql)]
    /// Lets a mail open its code once; after ``mail``.
    package static let mailCodes = Migration("mail_codes", PackageResources.mail_codes_sql)
    /// Lets a mail be of the login session that asked for it; after ``mailCodes``.
    package static let mailSessions = Migration("mail_sessions", PackageResources.mail_sessions_sql)
}
