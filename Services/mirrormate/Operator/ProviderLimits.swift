import JSON

/// What the doctor says of limits of what calls to providers may cost: there are none unless an operator sets them, and none holds of what has
/// no price.
enum ProviderLimits {
    /// What each service asks providers for.
    static let asked: [String: Set<String>] = [
        "analysis": ["transcription", "vision", "video", "emotions"], "reporting": ["chat"],
    ]

    /// - Parameter answer: of `GET /operator/providers` of a service.
    static func findings(_ service: String, _ answer: JSONObject) -> [DoctorFinding] {
        let uses = asked[service] ?? []
        // Each that may be asked, with what it may be asked for without a price.
        let charging = (answer["providers"]?.arrayValue ?? []).compactMap { provider -> (String, free: [String])? in
            guard provider["off"] == false, provider["outside"] == true, let name = provider["name"]?.stringValue else {
                return nil
            }
            let models = (provider["models"]?.arrayValue ?? []).filter { model in
                model["purpose"]?.stringValue.map(uses.contains) ?? false
            }
            let free = models.filter { $0["priced"] == false }.compactMap { $0["purpose"]?.stringValue }
            return models.isEmpty ? nil : (name, free)
        }
        guard !charging.isEmpty else { return [] }
        let missing = [
            ("ownerDayMicros", "PROVIDERS_OWNER_DAY_MICROS"), ("dayMicros", "PROVIDERS_DAY_MICROS"),
        ].filter { answer["limits"]?[$0.0]?.intValue == nil }.map(\.1)
        var findings: [DoctorFinding] = []
        if !missing.isEmpty {
            let names = charging.map(\.0).joined(separator: ", ")
            findings.append(
                DoctorFinding(
                    service, "providers-unlimited",
                    "\(missing.joined(separator: " and ")) \(missing.count == 1 ? "is" : "are") not set: what calls to \(names) cost within a day has no such limit.",
                    "Set what a user, and what all of them, may cost within a day: docs/providers.md, 'Naming them'."))
        }
        let free = charging.filter { !$0.free.isEmpty }.map { "\($0.0) (\($0.free.joined(separator: ", ")))" }
        if missing.count < 2, !free.isEmpty {
            findings.append(
                DoctorFinding(
                    service, "providers-unpriced",
                    "PROVIDERS_FILE has no price of \(free.joined(separator: ", ")): no limit holds there.",
                    "Say in it what calls cost, or direct of a server of your own: docs/providers.md, 'Naming them'."))
        }
        return findings
    }
}
