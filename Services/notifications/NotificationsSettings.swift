import Configuration
import Crypto
import HTTPClient
import Primitives
import ServiceKit

/// The variables of `notifications` besides those of every service.
///
/// | Variable | Type | Default | Meaning |
/// |---|---|---|---|
/// | `WEBHOOK_KEY` | secret | required | 64 hexadecimal characters: seals the addresses and secrets of endpoints; several while it changes, the first of which seals |
/// | `WEBHOOK_DEADLINE` | duration | 15s | how long an endpoint may take to answer |
/// | `WEBHOOKS_AT_ONCE` | number | 32 | how much an instance sends at a time; to one endpoint one after another, and a quarter of it to those where nothing arrives |
/// | `WEBHOOK_LOCAL_RECEIVERS` | true or false | false | whether an endpoint may be at `http://127.0.0.1:PORT`, for who develops; refused where `PUBLIC_URL` is of another machine |
struct NotificationsSettings: Sendable {
    /// Seal addresses and secrets.
    let sealing: SealingKeys
    let deadline: Duration
    let atOnce: Int
    let allowsLocalReceivers: Bool

    /// Reads the variables; problems stay in `environment` until it is finished.
    init(_ environment: Environment) {
        let secret = environment.secret("WEBHOOK_KEY").reveal()
        let texts = secret.split { $0.isWhitespace || $0 == "," }
        let keys = texts.compactMap { Hex.decode(String($0)) }.filter { $0.count == AESGCM.keyLength }
        if !secret.isEmpty && (keys.isEmpty || keys.count != texts.count) {
            environment.refuse(
                "WEBHOOK_KEY",
                "must be 64 hexadecimal characters, as `openssl rand -hex 32` gives, or several such keys in lines.")
        } else if Set(keys).count != keys.count {
            environment.refuse("WEBHOOK_KEY", "names a key twice; leave one of them out.")
        }
        sealing = SealingKeys(keys)
        deadline = environment.duration("WEBHOOK_DEADLINE", default: .seconds(15))
        if deadline > .seconds(30) { environment.refuse("WEBHOOK_DEADLINE", "must not be longer than 30s.") }
        atOnce = environment.int("WEBHOOKS_AT_ONCE", default: 32, in: 4...1_000)
        allowsLocalReceivers = environment.bool("WEBHOOK_LOCAL_RECEIVERS", default: false)
        let publicURL = environment.webAddress("PUBLIC_URL", default: "http://127.0.0.1")
        if allowsLocalReceivers, !publicURL.isEmpty, !ProviderAddress.isLocal(publicURL: publicURL) {
            environment.refuse("WEBHOOK_LOCAL_RECEIVERS", "needs a PUBLIC_URL of this machine.")
        }
    }
}
