import Contracts

/// The settings that services get from the environment of `mirrormate up`, when they are there; all the others are the stack's own.
///
/// `Tests/Services/DeclarationTests/HandedOnTests.swift` compares them with the tables of the settings, and with `docker-compose.yml`.
enum HandedOnSettings {
    private static let everyService = [
        "KAFKA_SESSION_TIMEOUT", "SHUTDOWN_DEADLINE", "SIGNING_KEY_WAIT", "FRESH_SIGN_IN", "OBJECT_STORE",
        "S3_ENDPOINT", "S3_REGION", "S3_ADDRESSING",
    ]

    /// A secret stands here twice: itself, and the file that holds it.
    private static let ofService: [ServiceName: [String]] = [
        .identity: [
            "LIMIT_SIGN_UP", "LIMIT_EMAIL_TAKEN", "LIMIT_SIGN_IN", "LIMIT_NONCE", "LIMIT_REFRESH", "LIMIT_DEVICE",
            "LIMIT_HANDOVER", "LIMIT_PASSWORD_RESET", "LIMIT_CODE", "LIMIT_ACCOUNT", "LIMIT_ACCOUNT_STRANGERS",
            "LIMIT_SECOND_FACTOR", "LIMIT_SECOND_FACTOR_STRANGERS", "LIMIT_ACCOUNT_MAIL",
            "LIMIT_ACCOUNT_MAIL_STRANGERS", "LIMIT_ACCOUNT_CHANGES", "ACCESS_TOKEN_LIFETIME", "LOGIN_LIFETIME",
            "LOGIN_IDLE_LIMIT", "REFRESH_GRACE", "CODE_LIFETIME", "EMAIL_CHANGE_WAIT", "EMAIL_KEEP_LIFETIME",
            "PASSWORD_QUEUE", "REQUIRE_SECOND_FACTOR", "BREACHED_PASSWORDS_FILE", "BREACHED_PASSWORDS_URL",
            "BREACHED_PASSWORDS_DEADLINE", "BREACHED_PASSWORDS_CACHE", "SIGN_UP", "SIGN_IN_ALLOWED_EMAILS",
            "SIGN_IN_ALLOWED_EMAILS_FILE", "GOOGLE_CLIENT_IDS", "GOOGLE_CLIENT_SECRET", "GOOGLE_CLIENT_SECRET_FILE",
            "GOOGLE_ISSUERS", "GOOGLE_KEYS_URL", "GOOGLE_AUTHORIZATION_URL", "GOOGLE_TOKEN_URL", "APPLE_CLIENT_IDS",
            "APPLE_TEAM_ID", "APPLE_KEY_ID", "APPLE_PRIVATE_KEY", "APPLE_PRIVATE_KEY_FILE", "APPLE_ISSUERS",
            "APPLE_KEYS_URL", "APPLE_AUTHORIZATION_URL", "APPLE_TOKEN_URL", "APPLE_REVOKE_URL", "PROVIDER_DEADLINE",
            "PROVIDER_KEYS_PAUSE", "PROVIDER_KEYS_KEPT", "PASSWORD_RESET_LINK", "VERIFY_EMAIL_LINK",
            "CHANGE_EMAIL_LINK", "CONFIRM_EMAIL_CHANGE_LINK", "KEEP_EMAIL_LINK", "TERMS_VERSION", "CONSENTS_FILE",
            "ERASURE_WAIT",
            "ERASURE_RECEIPT_LIFETIME", "MAIL_URL", "MAIL_PASSWORD", "MAIL_PASSWORD_FILE", "MAIL_FROM",
            "MAIL_CA_FILE", "MAIL_RETRY", "MAIL_ATTEMPTS", "PHOTOS_AT_ONCE", "PHOTO_UPLOAD_TIME", "PHOTO_PATIENCE",
            "SIGNING_KEY_LIFETIME", "SIGNING_KEY_OVERLAP", "SIGNING_KEY_LEAD",
        ],
        .sessions: [
            "EVENT_STREAMS", "EVENT_STREAMS_PER_USER", "EVENT_STREAMS_PER_ADDRESS", "EVENT_STREAMS_SHARE",
            "PRACTICE_MAX_AGE", "PRACTICE_SKEW", "MEDIA_RETENTION_MAX_DAYS", "MEDIA_RETENTION_DAY",
            "MEDIA_ADDRESS_LIFETIME", "MEDIA_DOWNLOAD_TIME", "MEDIA_DOWNLOADS", "MEDIA_DOWNLOADS_PER_USER",
            "MEDIA_DOWNLOADS_PER_ADDRESS",
            "KINDS_FILE", "QUOTA_WAIT",
            "SESSION_LIFETIME", "PROCESSING_DEADLINE", "NETWORK_ANALYSES", "REFUSED_CREATIONS", "CONFIRM_ADDRESS",
            "HEARTBEAT", "UPLOAD_ADDRESS_LIFETIME", "UPLOAD_LIMIT_BYTES", "UPLOAD_BYTES_PER_SECOND",
            "UPLOAD_BYTES_AT_ONCE",
        ],
        .quota: [
            "PLANS_FILE"
        ],
        .analysis: [
            "WORKERS", "JOB_LEASE", "MAX_VIDEO_SECONDS", "MEDIA_GRACE", "PROVIDERS_FILE", "PROVIDERS_OWNER_DAY_MICROS",
            "PROVIDERS_DAY_MICROS",
        ],
        .reporting: [
            "EXPORT_DEADLINE", "EXPORT_LIFETIME", "EXPORT_ADDRESS_LIFETIME", "EXPORT_DOWNLOADS",
            "EXPORT_DOWNLOADS_PER_USER", "EXPORT_DOWNLOADS_PER_ADDRESS", "EXPORT_BYTES_PER_SECOND",
            "EXPORT_DOWNLOAD_TIME", "SHARED_LOOKUPS",
        ],
    ]

    /// The names of the variables that a service gets.
    static func of(_ service: String) -> [String] {
        everyService + (ServiceName(rawValue: service).flatMap { ofService[$0] } ?? [])
    }
}
