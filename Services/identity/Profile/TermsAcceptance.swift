import Access
import HTTPServer
package import JSON
package import Primitives
import ServiceKit

/// That a user accepted the terms of use, in one version and as it reads in one language.
package struct TermsAcceptance: Sendable, Equatable {
    package var version: String
    /// The language of the text that was shown, a BCP 47 tag.
    package var locale: String
    package var acceptedAt: Timestamp

    package init(version: String, locale: String, acceptedAt: Timestamp) {
        self.version = version
        self.locale = locale
        self.acceptedAt = acceptedAt
    }

    /// - Throws: `JSONError` when a member is missing or has another form.
    package init(_ object: JSONObject) throws(JSONError) {
        version = try object.string("version")
        locale = try object.string("locale")
        acceptedAt = try object.timestamp("acceptedAt")
    }

    package var json: JSONObject {
        ["version": .string(version), "locale": .string(locale), "acceptedAt": .time(acceptedAt)]
    }
}

/// The terms of use that are in force.
struct Terms: Sendable {
    /// Their version; nil when an operator has named none.
    let version: String?

    /// What a client says of the version that its user accepts now.
    ///
    /// - Throws: a problem 409 when it is not the version in force, 422 for what is no language; `JSONError`.
    func acceptance(_ body: JSONObject, at now: Timestamp) throws -> TermsAcceptance {
        try body.allow("version", "locale")
        let said = try body.string("version")
        let locale = try body.string("locale")
        guard said == version else { throw Problem(.termsNotCurrent) }
        guard locale.utf8.count <= 35, locale.wholeMatch(of: #/[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*/#) != nil else {
            throw Problem(.localeInvalid)
        }
        return TermsAcceptance(version: said, locale: locale, acceptedAt: now)
    }
}
