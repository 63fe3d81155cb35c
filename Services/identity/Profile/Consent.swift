package import Contracts
package import JSON
package import Primitives

/// What a user agrees to: which provider may have which data for what, in a version of the text and as it reads in one language.
package struct ConsentTerms: Sendable, Equatable {
    package var scope: ConsentScope
    package var dataClasses: Set<DataClass>
    package var version: String
    /// The language of the text that was shown, a BCP 47 tag.
    package var locale: String
    /// SHA-256 of that text, 64 hexadecimal digits: the proof of what was agreed to.
    package var textSHA256: String

    package init(
        scope: ConsentScope, dataClasses: Set<DataClass>, version: String, locale: String, textSHA256: String
    ) {
        self.scope = scope
        self.dataClasses = dataClasses
        self.version = version
        self.locale = locale
        self.textSHA256 = textSHA256
    }
}

/// That a user agreed.
package struct Consent: Sendable, Equatable {
    package var terms: ConsentTerms
    package var givenAt: Timestamp

    package var scope: ConsentScope { terms.scope }

    package init(terms: ConsentTerms, givenAt: Timestamp) {
        self.terms = terms
        self.givenAt = givenAt
    }

    /// - Throws: `JSONError` when a member is missing or has another form.
    package init(_ object: JSONObject) throws(JSONError) {
        terms = ConsentTerms(
            scope: try ConsentScope(object), dataClasses: try DataClasses.read("dataClasses", of: object),
            version: try object.string("version"), locale: try object.string("locale"),
            textSHA256: try object.string("textSHA256"))
        givenAt = try object.timestamp("givenAt")
    }

    package var json: JSONObject {
        scope.json.adding([
            "dataClasses": DataClasses.json(terms.dataClasses), "version": .string(terms.version),
            "locale": .string(terms.locale), "textSHA256": .string(terms.textSHA256), "givenAt": .time(givenAt),
        ])
    }

    /// What other services hear of it.
    func message(of user: UUID) -> ConsentGiven {
        ConsentGiven(
            userId: user, to: scope, dataClasses: terms.dataClasses, version: terms.version, locale: terms.locale,
            textSHA256: terms.textSHA256, givenAt: givenAt)
    }
}
