package import EventStore
import HTTPServer

extension Migration {
    /// The private keys' objects.
    package static let signingKeys = [
        Migration("signing_private_keys", PackageResources.signing_private_keys_sql)
    ]
}

extension Problem {
    /// 503 while there is no key to sign with.
    static let noSigningKey = Problem(.signingKeyMissing, headers: ["Retry-After": "60"])
}
