import Contracts
import Crypto
import JSON
import Primitives
import ServiceKit

/// What users of this deployment can consent to.
struct ConsentOffers: Sendable, Equatable {
    /// One text, in its languages.
    struct Offer: Sendable, Equatable {
        let scope: ConsentScope
        let dataClasses: Set<DataClass>
        let version: String
        /// The text by its language, a BCP 47 tag.
        let texts: [String: String]

        /// What somebody agrees to who has read the text in a language; nil when it has none in that.
        func terms(in locale: String) -> ConsentTerms? {
            texts[locale].map {
                ConsentTerms(
                    scope: scope, dataClasses: dataClasses, version: version, locale: locale,
                    textSHA256: Hex.encode(SHA256.digest(Array($0.utf8))))
            }
        }

        /// Whether what somebody agreed to is what this says.
        func isCurrent(_ terms: ConsentTerms) -> Bool { self.terms(in: terms.locale) == terms }

        var json: JSONObject {
            scope.json.adding([
                "dataClasses": .array(dataClasses.map(\.rawValue).sorted().map(JSONValue.string)),
                "version": .string(version),
                "texts": .object(JSONObject(texts.sorted { $0.key < $1.key }.map { ($0, .string($1)) })),
            ])
        }
    }

    /// In the order of the file.
    var all: [Offer] = []

    subscript(scope: ConsentScope) -> Offer? { all.first { $0.scope == scope } }
}

/// Reads what can be consented to, in the form of `docs/providers.md`.
enum ConsentFile {
    private static let version: Int64 = 1

    /// Reads a whole file.
    ///
    /// - Throws: every mistake at once.
    static func read(_ bytes: [UInt8]) throws(SettingsFileError) -> ConsentOffers {
        try SettingsFileReader.read(bytes, version: version, member: "consents") { reader, value in
            reader.offers(value)
        }
    }
}

extension SettingsFileReader {
    fileprivate mutating func offers(_ value: JSONValue?) -> ConsentOffers {
        guard let list = value?.arrayValue, list.count <= 32 else {
            note("consents must be a list of at most 32 objects, one for each provider and purpose.")
            return ConsentOffers()
        }
        var offers = ConsentOffers()
        for (index, value) in list.enumerated() {
            let place = "consents[\(index)]"
            guard let object = value.objectValue else {
                note("\(place) must be an object with provider, purpose, dataClasses, version and texts.")
                continue
            }
            let offer = offer(object, place)
            if offers[offer.scope] != nil {
                note("\(place) names a provider and purpose that an earlier one names; leave one of them out.")
            }
            offers.all.append(offer)
        }
        return offers
    }

    private mutating func offer(_ object: JSONObject, _ place: String) -> ConsentOffers.Offer {
        checkMembers(
            of: object, at: "\(place).", known: ["provider", "purpose", "dataClasses", "version", "texts"])
        let provider = object["provider"]?.stringValue ?? ""
        checkName(provider, at: "\(place).provider")
        let purpose = ConsentPurpose(rawValue: object["purpose"]?.stringValue ?? "")
        let known = ConsentPurpose.known[purpose]
        if known == nil {
            let names = ConsentPurpose.known.keys.map(\.rawValue).sorted().joined(separator: ", ")
            note("\(place).purpose must be one of \(names).")
        }
        let names = object["dataClasses"]?.arrayValue ?? []
        let classes = Set(names.compactMap(\.stringValue).map(DataClass.init(rawValue:)))
        // Less would be no consent to what the purpose takes, and more would be asked for in vain.
        if let known, classes != known || names.count != known.count {
            let needed = known.map(\.rawValue).sorted().joined(separator: ", ")
            note("\(place).dataClasses must be the list of what \(purpose) takes: \(needed).")
        }
        let version = object["version"]?.stringValue ?? ""
        if version.wholeMatch(of: #/[A-Za-z0-9._-]{1,40}/#) == nil {
            note("\(place).version must be up to 40 letters, digits, points and dashes, such as 2026-11.")
        }
        return ConsentOffers.Offer(
            scope: ConsentScope(provider: provider, purpose: purpose), dataClasses: classes, version: version,
            texts: texts(object["texts"], "\(place).texts"))
    }

    private mutating func texts(_ value: JSONValue?, _ place: String) -> [String: String] {
        guard let object = value?.objectValue, !object.isEmpty else {
            note("\(place) must be an object with the text in each language, by its BCP 47 tag.")
            return [:]
        }
        var texts: [String: String] = [:]
        for (locale, value) in object.members {
            let isTag = locale.utf8.count <= 35 && locale.wholeMatch(of: #/[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*/#) != nil
            let text = value.stringValue ?? ""
            if !isTag { note("\(place).\(locale) must be named with a BCP 47 tag, such as en or pt-BR.") }
            if text.isEmpty || text.utf8.count > 4_000 {
                note("\(place).\(locale) must be a text of at most 4,000 bytes.")
            }
            texts[locale] = text
        }
        return texts
    }
}
