import Configuration
import Glibc
import HTTPClient
import JSON
package import ServiceKit

/// Reads the providers of a deployment, in the form of `docs/providers.md`. Their order is the one in which they are asked.
package enum ProviderFile {
    private static let version: Int64 = 1

    /// Reads a whole file, and the files with the keys that it names.
    ///
    /// - Parameter content: gives the text of a file of a key, without its trailing newline; nil when it cannot be read.
    /// - Throws: every mistake at once.
    package static func read(
        _ bytes: [UInt8], keys content: (String) -> String? = Environment.text(of:)
    ) throws(SettingsFileError) -> [ProviderDeclaration] {
        try SettingsFileReader.read(bytes, version: version, member: "providers") { reader, value in
            reader.providers(value, content)
        }
    }
}

extension SettingsFileReader {
    fileprivate mutating func providers(
        _ value: JSONValue?, _ content: (String) -> String?
    ) -> [ProviderDeclaration] {
        guard let list = value?.arrayValue, list.count <= 16 else {
            note("providers must be a list of at most 16 objects, in the order in which they are asked.")
            return []
        }
        var providers: [ProviderDeclaration] = []
        for (index, item) in list.enumerated() {
            let place = "providers[\(index)]"
            guard let object = item.objectValue else {
                note("\(place) must be an object with name, protocol, url and a model.")
                continue
            }
            let provider = provider(object, place, content)
            if providers.contains(where: { $0.name == provider.name }) {
                note("\(place).name is that of an earlier one; give it another.")
            }
            providers.append(provider)
        }
        return providers
    }

    private mutating func provider(
        _ object: JSONObject, _ place: String, _ content: (String) -> String?
    ) -> ProviderDeclaration {
        checkMembers(
            of: object, at: "\(place).",
            known: [
                "name", "protocol", "url", "keyFile", "off", "direct", "hedgeAfterSeconds", "currency", "transcription",
                "chat", "vision", "video", "emotions", "speech", "moderation", "voices", "rank",
            ])
        let name = object["name"]?.stringValue ?? ""
        checkName(name, at: "\(place).name")
        let speech = object["protocol"]?.stringValue.flatMap(ProviderDeclaration.Speech.init(rawValue:))
        if speech == nil {
            let known = ProviderDeclaration.Speech.allCases.map(\.rawValue).joined(separator: ", ")
            note("\(place).protocol must be one of \(known).")
        }
        var provider = ProviderDeclaration(name: name, speech: speech ?? .openai, url: url(object, place))
        provider.key = key(object["keyFile"], "\(place).keyFile", content)
        provider.isOff = flag(object, "off", place, or: true)
        provider.isDirect = flag(object, "direct", place, or: false)
        if let currency = object["currency"] {
            let text = currency.stringValue ?? ""
            if text.utf8.count != 3 || !text.utf8.allSatisfy({ (0x41...0x5A).contains($0) }) {
                note("\(place).currency must be three capital letters, such as USD.")
            }
            provider.currency = text
        }
        checkUses(of: object, place, in: speech)
        transcription(object["transcription"], "\(place).transcription", &provider)
        chat(object["chat"], "\(place).chat", &provider)
        vision(object["vision"], "\(place).vision", &provider)
        video(object["video"], "\(place).video", &provider)
        emotions(object["emotions"], "\(place).emotions", &provider)
        spoken(object["speech"], "\(place).speech", &provider)
        moderation(object["moderation"], "\(place).moderation", &provider)
        voices(object["voices"], "\(place).voices", &provider)
        ranks(object["rank"], "\(place).rank", &provider)
        if let value = object["hedgeAfterSeconds"] {
            let pause = Duration.seconds(
                number(value, at: "\(place).hedgeAfterSeconds", in: 1...599, or: "; leave it out for never"))
            provider.hedgeAfter = pause
            // No voice is made twice.
            if provider.models.contains(where: { $0.use != .voices && $0.model.deadline <= pause }) {
                note("\(place).hedgeAfterSeconds must be less than each deadlineSeconds.")
            }
        }
        return provider
    }

    /// - Parameter wrong: what counts where something else than true or false stands.
    private mutating func flag(_ object: JSONObject, _ name: String, _ place: String, or wrong: Bool) -> Bool {
        guard let value = object[name] else { return false }
        if value.boolValue == nil { note("\(place).\(name) must be true or false.") }
        return value.boolValue ?? wrong
    }

    private mutating func url(_ object: JSONObject, _ place: String) -> String {
        let text = object["url"]?.stringValue ?? ""
        let form = #/https?:\/\/[A-Za-z0-9.\-\[\]:_]+(\/[A-Za-z0-9._~\-]+)*/#
        if text.utf8.count > 500 || text.wholeMatch(of: form) == nil {
            note(
                "\(place).url must be http:// or https://, a host and a path without a slash at its end, such as https://api.openai.com/v1."
            )
        }
        // Hosts of the internet have a point in their name, and those of one's own network hardly ever.
        let isNamed = text.prefixMatch(of: #/http:\/\/[^\/]*\.[A-Za-z]/#) != nil
        if isNamed || Self.isOfInternet(text), object["direct"]?.boolValue != true {
            note(
                "\(place).url must be https:// for a host of the internet, or others read the key and what is sent; for a server of your own network say direct."
            )
        }
        return text
    }

    /// Addresses for documentation, which are nobody's (RFC 5737).
    private static let nobodys: [[UInt8]] = [[192, 0, 2], [198, 51, 100], [203, 0, 113]]

    /// Whether it is `http` to the number of a host of the public internet.
    private static func isOfInternet(_ url: String) -> Bool {
        guard let host = url.prefixMatch(of: #/http:\/\/(\[([^\]\/]*)\]|[^:\/]*)/#) else { return false }
        var (four, six) = (in_addr(), in6_addr())
        if inet_pton(AF_INET, String(host.1), &four) == 1 {
            let address = withUnsafeBytes(of: four) { Array($0) }
            return PublicAddress.contains(address) && !nobodys.contains { address.starts(with: $0) }
        }
        guard let number = host.2, inet_pton(AF_INET6, String(number), &six) == 1 else { return false }
        return PublicAddress.contains(withUnsafeBytes(of: six) { Array($0) })
    }

    private mutating func key(_ value: JSONValue?, _ place: String, _ content: (String) -> String?) -> Secret? {
        guard let value else { return nil }
        guard let path = value.stringValue, !path.isEmpty else {
            note("\(place) must be the path of a file; leave it out for a server that asks for no key.")
            return nil
        }
        guard let text = content(path) else {
            note("\(place) names a file that cannot be read as text; check its path and permissions.")
            return nil
        }
        guard text.utf8.count <= 4_096, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            note("\(place) names a file with something else than one key; let it hold that alone.")
            return nil
        }
        return Secret(text)
    }

    private mutating func transcription(_ value: JSONValue?, _ place: String, _ provider: inout ProviderDeclaration) {
        guard let value else { return }
        let object = members(
            of: value, place, known: ["model", "microsPerMinute", "deadlineSeconds", "limitBytes"])
        provider.price.microsPerMinute = optional(object, "microsPerMinute", place, 0...1_000_000_000, or: 0)
        provider.transcription = ProviderDeclaration.Transcription(
            model: model(object, place), deadline: deadline(object, place, or: 60),
            limitBytes: optional(object, "limitBytes", place, 1_000...1_000_000_000, or: 25_000_000))
    }

    private mutating func chat(_ value: JSONValue?, _ place: String, _ provider: inout ProviderDeclaration) {
        guard let value else { return }
        let object = members(
            of: value, place,
            known: [
                "model", "microsPerMillionInputTokens", "microsPerMillionOutputTokens", "deadlineSeconds",
                "mostOutputTokens",
            ])
        let price = tokens(object, place)
        provider.price.microsPerMillionInputTokens = price.microsPerMillionInputTokens
        provider.price.microsPerMillionOutputTokens = price.microsPerMillionOutputTokens
        provider.chat = ProviderDeclaration.Chat(
            model: model(object, place), deadline: deadline(object, place, or: 30),
            mostOutputTokens: optional(object, "mostOutputTokens", place, 16...100_000, or: 1_000))
    }

    private mutating func vision(_ value: JSONValue?, _ place: String, _ provider: inout ProviderDeclaration) {
        guard let value else { return }
        provider.vision = seeing(members(of: value, place, known: Self.seeing), place)
    }

    private static let seeing = [
        "model", "microsPerMillionInputTokens", "microsPerMillionOutputTokens", "deadlineSeconds", "mostOutputTokens",
        "mostTokensPerPicture",
    ]

    private mutating func emotions(_ value: JSONValue?, _ place: String, _ provider: inout ProviderDeclaration) {
        guard let value else { return }
        let object = members(of: value, place, known: Self.seeing + ["region", "purpose"])
        let vision = seeing(object, place)
        let region = object["region"]?.stringValue ?? ""
        if region.wholeMatch(of: #/[A-Z]{2}/#) == nil {
            note("\(place).region must be two capital letters, such as US, or EU: where those live who are served.")
        }
        guard let purpose = object["purpose"]?.stringValue.flatMap(EmotionPolicy.Purpose.init(rawValue:)) else {
            let known = EmotionPolicy.Purpose.allCases.map(\.rawValue).joined(separator: ", ")
            note("\(place).purpose must be one of \(known): what this deployment is for.")
            return
        }
        let policy = EmotionPolicy(region: region, purpose: purpose)
        if policy.isForbidden {
            note(
                "\(place) is forbidden in \(region) for \(purpose.rawValue) by article 5 of Regulation (EU) 2024/1689; leave it out."
            )
        }
        provider.emotions = ProviderDeclaration.Emotions(vision: vision, policy: policy)
    }

    private mutating func seeing(_ object: JSONObject, _ place: String) -> ProviderDeclaration.Vision {
        let price = tokens(object, place)
        return ProviderDeclaration.Vision(
            chat: ProviderDeclaration.Chat(
                model: model(object, place), deadline: deadline(object, place, or: 30),
                mostOutputTokens: optional(object, "mostOutputTokens", place, 16...100_000, or: 300)),
            price: price,
            mostTokensPerPicture: optional(object, "mostTokensPerPicture", place, 1...100_000, or: 3_000))
    }

    private mutating func video(_ value: JSONValue?, _ place: String, _ provider: inout ProviderDeclaration) {
        guard let value else { return }
        let object = members(
            of: value, place,
            known: [
                "model", "microsPerMillionInputTokens", "microsPerMillionOutputTokens", "deadlineSeconds",
                "mostOutputTokens", "limitBytes",
            ])
        let price = tokens(object, place)
        provider.video = ProviderDeclaration.Video(
            chat: ProviderDeclaration.Chat(
                model: model(object, place), deadline: deadline(object, place, or: 120),
                mostOutputTokens: optional(object, "mostOutputTokens", place, 16...100_000, or: 1_000)),
            price: price,
            limitBytes: optional(object, "limitBytes", place, 1_000...2_000_000_000, or: 100_000_000))
    }

    /// What a model's tokens cost.
    private mutating func tokens(_ object: JSONObject, _ place: String) -> Price {
        let prices: ClosedRange<Int64> = 0...1_000_000_000_000
        var price = Price()
        price.microsPerMillionInputTokens = optional(object, "microsPerMillionInputTokens", place, prices, or: 0)
        price.microsPerMillionOutputTokens = optional(object, "microsPerMillionOutputTokens", place, prices, or: 0)
        return price
    }

    mutating func members(of value: JSONValue, _ place: String, known: [String]) -> JSONObject {
        guard let object = value.objectValue else {
            note("\(place) must be an object with model.")
            return [:]
        }
        checkMembers(of: object, at: "\(place).", known: known)
        return object
    }

    mutating func model(_ object: JSONObject, _ place: String) -> String {
        let model = object["model"]?.stringValue ?? ""
        if model.wholeMatch(of: #/[A-Za-z0-9._:\/@\-]{1,100}/#) == nil {
            note("\(place).model must be the name of a model, such as whisper-1.")
        }
        return model
    }

    mutating func deadline(_ object: JSONObject, _ place: String, or usual: Int64) -> Duration {
        .seconds(optional(object, "deadlineSeconds", place, 1...600, or: usual))
    }

    mutating func optional(
        _ object: JSONObject, _ name: String, _ place: String, _ range: ClosedRange<Int64>, or usual: Int64
    ) -> Int64 {
        object[name].map { number($0, at: "\(place).\(name)", in: range, or: "; leave it out for \(usual)") } ?? usual
    }
}
