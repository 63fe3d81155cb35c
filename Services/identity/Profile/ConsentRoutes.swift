import Contracts
import EventStore
import HTTPServer
import JSON
import Primitives
import Runtime
import ServiceKit

/// What the caller lets providers outside this server have.
///
/// | Route | Answer |
/// |---|---|
/// | `GET /v1/consents` | the texts in force, and what the caller has agreed to |
/// | `PUT /v1/consents` `{given: [{provider, purpose, version, locale}]}` | the same after that; what is not in the list is withdrawn |
@Loop struct ConsentRoutes {
    private let users: CommandHandler<User>
    private let states: KeptStates<User>
    private let offers: ConsentOffers

    init(_ context: ServiceContext, _ offers: ConsentOffers, _ states: KeptStates<User>) {
        users = CommandHandler(context.store)
        self.states = states
        self.offers = offers
    }

    func read(_ request: Request, _ caller: Caller) async throws -> Response {
        answer(try await states.state(of: User.stream(caller.user)))
    }

    /// Replaces all of them: whoever sends an empty list lets nobody have anything.
    ///
    /// - Parameter limited: lets something be done so often; what only withdraws always is, and can follow only so often.
    func set(_ limited: @escaping (@escaping CallerRoutes.Answer) -> CallerRoutes.Answer) -> CallerRoutes.Answer {
        { request, caller in
            let body = try await request.jsonObject()
            try body.allow("given")
            let given = try await states.state(of: User.stream(caller.user)).consents
            let wanted = try wanted(body.array("given"), given)
            let change: CallerRoutes.Answer = { try await put(wanted, $0, $1) }
            let gives = wanted.contains { given[$0.scope]?.terms != $0 }
            return try await (gives ? limited(change) : change)(request, caller)
        }
    }

    private func put(_ wanted: [ConsentTerms], _ request: Request, _ caller: Caller) async throws -> Response {
        let outcome = try await users.put(
            .setConsents(wanted, at: .now()), by: caller, request, requestHash: caller.user.bytes)
        return answer(outcome.state)
    }

    private func wanted(_ list: [JSONValue], _ given: [ConsentScope: Consent]) throws -> [ConsentTerms] {
        var wanted: [ConsentTerms] = []
        for (index, value) in list.enumerated() {
            let place = "given[\(index)]"
            guard let said = value.objectValue else { throw JSONError(.type, at: place, "must be an object") }
            let terms = try terms(said, given)
            if wanted.contains(where: { $0.scope == terms.scope }) {
                throw JSONError(.type, at: place, "must not name a provider and purpose again")
            }
            wanted.append(terms)
        }
        return wanted
    }

    /// What is agreed to: a text in force, or what was agreed to before, in whichever version.
    ///
    /// - Throws: the problem `consent-not-offered`, or `JSONError`.
    private func terms(_ said: JSONObject, _ given: [ConsentScope: Consent]) throws -> ConsentTerms {
        try said.allow("provider", "purpose", "version", "locale")
        let scope = try ConsentScope(said)
        let (version, locale) = (try said.string("version"), try said.string("locale"))
        if let terms = offers[scope]?.terms(in: locale), terms.version == version { return terms }
        if let terms = given[scope]?.terms, terms.version == version, terms.locale == locale { return terms }
        throw Problem(.consentNotOffered)
    }

    private func answer(_ user: User) -> Response {
        let given = user.consents.values.sorted { $0.scope < $1.scope }.map { consent in
            JSONValue.object(
                consent.scope.json.adding([
                    "dataClasses": .array(consent.terms.dataClasses.map(\.rawValue).sorted().map(JSONValue.string)),
                    "version": .string(consent.terms.version), "locale": .string(consent.terms.locale),
                    "givenAt": .time(consent.givenAt),
                    "current": .bool(offers[consent.scope]?.isCurrent(consent.terms) ?? false),
                ]))
        }
        return .personal(["offered": .array(offers.all.map { .object($0.json) }), "given": .array(given)])
    }
}
