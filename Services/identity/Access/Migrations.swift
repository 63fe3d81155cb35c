package import EventStore

extension Migration {
    /// The objects of credentials, devices, rate limits, login sessions and one-time codes; after the service's table
    /// `profiles`.
    package static let access = [
        Migration("credentials", PackageResources.credentials_sql), Migration("devices", PackageResources.devices_sql),
        Migration("attempts", PackageResources.attempts_sql), Migration("logins", PackageResources.logins_sql),
        Migration("one_time_codes", PackageResources.one_time_codes_sql),
        Migration("login_ends", PackageResources.login_ends_sql),
        Migration("fresh_sign_ins", PackageResources.fresh_sign_ins_sql),
        Migration("login_list", PackageResources.login_list_sql),
        Migration("standing_proofs", PackageResources.standing_proofs_sql),
        Migration("second_factors", PackageResources.second_factors_sql),
        Migration("email_changes", PackageResources.email_changes_sql),
        Migration("device_secrets", PackageResources.device_secrets_sql),
        Migration("standing_logins", PackageResources.standing_logins_sql),
        Migration("kept_keys", PackageResources.kept_keys_sql),
    ]

    /// Login sessions of apps that cannot refresh; after all that was there before.
    package static let appLogins = Migration("app_logins", PackageResources.app_logins_sql)

    /// The end of those login sessions that were begun with one proof; after all that was there before.
    package static let loginsByProof = Migration("logins_by_proof", PackageResources.logins_by_proof_sql)

    /// Changes of address that wait for the old address, and devices whose secret is revoked; after all that was there before.
    package static let confirmedEmailChanges = Migration(
        "confirmed_email_changes", PackageResources.confirmed_email_changes_sql)
    /// Changes of address that take effect late; after all that was there before.
    package static let lateEmailChanges = Migration("late_email_changes", PackageResources.late_email_changes_sql)
    /// Changes of address that come once the address before was told; after all that was there before.
    package static let toldEmailChanges = Migration("told_email_changes", PackageResources.told_email_changes_sql)
    /// Changes of address that go with one login session; after all that was there before.
    package static let evictedEmailChanges = Migration(
        "evicted_email_changes", PackageResources.evicted_email_changes_sql)
    /// Mailed codes that end with the password; after all that was there before.
    package static let codesOfPasswords = Migration("codes_of_passwords", PackageResources.codes_of_passwords_sql)
    package static let codesOfSessions = Migration("codes_of_sessions", PackageResources.codes_of_sessions_sql)
    package static let changedKeys = Migration("changed_keys", PackageResources.changed_keys_sql)
    package static let revokedDevices = Migration("revoked_devices", PackageResources.revoked_devices_sql)

    /// Identities at other providers; after all that was there before.
    package static let linkedIdentities = Migration("linked_identities", PackageResources.linked_identities_sql)
}
