package import EventStore

extension Migration {
    /// The private keys' objects.
    package static let signingKeys = [
        Migration("signing_private_keys", PackageResources.signing_private_keys_sql)
    ]

    /// What they need since the key that seals them can change; after all that was there before.
    package static let signingKeysResealed = Migration(
        "signing_keys_resealed", PackageResources.signing_keys_resealed_sql)
}
