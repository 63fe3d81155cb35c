/// For whom, and what for, an operator lets a provider be asked what faces show. Without one nobody is.
///
/// Regulation (EU) 2024/1689 (AI Act), article 5(1)(f), forbids inferring emotions at work and in education; article 50(3) wants those told of it who
/// are looked at, which the consent does.
package struct EmotionPolicy: Sendable, Equatable {
    /// What the deployment is for. The raw value stands in the file.
    package enum Purpose: String, Sendable, CaseIterable {
        case selfCoaching = "self-coaching"
        case medical, safety, workplace, education
    }

    /// Two capital letters: a country (ISO 3166-1), or `EU`.
    package var region: String
    package var purpose: Purpose

    package init(region: String, purpose: Purpose) {
        self.region = region
        self.purpose = purpose
    }

    /// Whether the law of the region forbids it, as far as these rules know.
    package var isForbidden: Bool {
        [.workplace, .education].contains(purpose) && Self.area.contains(region)
    }

    /// The European Economic Area.
    private static let area: Set<String> = [
        "EU", "AT", "BE", "BG", "CY", "CZ", "DE", "DK", "EE", "ES", "FI", "FR", "GR", "HR", "HU", "IE", "IS", "IT",
        "LI",
        "LT", "LU", "LV", "MT", "NL", "NO", "PL", "PT", "RO", "SE", "SI", "SK",
    ]
}
