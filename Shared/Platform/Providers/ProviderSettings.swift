package import Configuration
import ServiceKit

/// The variables of a service that asks providers.
///
/// | Variable | Type | Default | Meaning |
/// |---|---|---|---|
/// | `PROVIDERS_FILE` | file | none | providers that may write down what is said, look at pictures, or word reports, see `docs/providers.md`; without it nobody outside is asked |
/// | `PROVIDERS_OWNER_DAY_MICROS` | number | none | what calls of this service for one user may cost within a day (UTC), in millionths of the providers' currency |
/// | `PROVIDERS_DAY_MICROS` | number | none | what all calls of this service may cost within a day |
package struct ProviderSettings: Sendable {
    /// In the order in which they are asked.
    package let declarations: [ProviderDeclaration]
    package let budget: Budget

    /// Reads the variables; problems stay in `environment` until it is finished.
    package init(_ environment: Environment) {
        declarations =
            environment.settingsFile(
                "PROVIDERS_FILE", { (bytes) throws(SettingsFileError) in try ProviderFile.read(bytes) }) ?? []
        let limits = ["PROVIDERS_OWNER_DAY_MICROS", "PROVIDERS_DAY_MICROS"].map { name in
            environment.optional(name).map { _ in Int64(environment.int(name, in: 0...1_000_000_000_000_000)) }
        }
        budget = Budget(ownerDayMicros: limits[0], dayMicros: limits[1])
        if limits.contains(where: { $0 != nil }), Set(declarations.map(\.currency)).count > 1 {
            environment.refuse(
                "PROVIDERS_FILE:", "has several currencies, which no limit can be held against; use one.")
        }
    }
}
