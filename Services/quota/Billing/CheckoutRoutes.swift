import CompatibleSurface
import HTTPServer
import JSON
import Primitives
import Runtime
import ServiceKit

/// What clients ask to buy something, and to change what they have bought; as functions of the compatible surface, too.
///
/// | Route | Body | Answer |
/// |---|---|---|
/// | `POST /v1/purchases/checkout` | `price?` | the page on which it is bought |
/// | `POST /v1/purchases/portal` | | the page on which it is changed |
/// | `POST /functions/v1/create-checkout-session` | whatever the app sends | `{"sessionId", "url"}` |
/// | `POST /functions/v1/create-portal-session` | whatever the app sends | `{"url"}` |
@Loop struct CheckoutRoutes {
    private let context: ServiceContext
    private let pages: CheckoutPages

    init(_ context: ServiceContext, _ pages: CheckoutPages) {
        self.context = context
        self.pages = pages
    }

    func add(to router: Router) {
        let callers = CallerRoutes(router, context.tokens)
        callers.on("POST", "/v1/purchases/checkout") { request, caller in
            let body = try await request.jsonObject()
            try body.allow("price")
            let page = try await pages.checkout(wish(request, caller), price: try body.optionalString("price"))
            return answer(["id": .string(page.id), "url": .string(page.url), "expiresAt": .optional(page.expiresAt)])
        }
        callers.on("POST", "/v1/purchases/portal") { request, caller in
            answer(["url": .string(try await pages.portal(wish(request, caller)).url)])
        }
    }

    /// What the app sends beside its token is about its own account and its own links, which are known here.
    func add(to routes: CompatibleRoutes) {
        routes.on("POST", "/create-checkout-session") { request, caller in
            let wish = wish(request, try Self.user(caller))
            let page = try await Self.told { try await pages.checkout(wish, price: nil) }
            return answer(["sessionId": .string(page.id), "url": .string(page.url)])
        }
        routes.on("POST", "/create-portal-session") { request, caller in
            let wish = wish(request, try Self.user(caller))
            return answer(["url": .string(try await Self.told { try await pages.portal(wish) }.url)])
        }
    }

    private func wish(_ request: Request, _ caller: Caller) -> CheckoutPages.Wish {
        CheckoutPages.Wish(
            owner: caller.user, id: context.hashes.commandID(request, owner: caller.user),
            metadata: request.metadata(owner: caller.user))
    }

    /// An address of a page is its owner's alone.
    private func answer(_ body: JSONValue) -> Response { .json(body, headers: ["Cache-Control": "no-store"]) }

    // MARK: In the words of the compatible surface

    private static func user(_ caller: CompatibleCaller) throws(CompatibleError) -> Caller {
        guard let user = caller.user else { throw CompatibleError(401, "sign_in_needed", "Sign in first.") }
        return user
    }

    private static func told(_ ask: @Loop () async throws -> StripeClient.Page) async throws -> StripeClient.Page {
        do { return try await ask() } catch let problem as Problem {
            guard let error = problem.ofFunctions else { throw problem }
            throw error
        }
    }
}

extension Problem {
    /// What clients of the functions know it as; nil for any other.
    fileprivate var ofFunctions: CompatibleError? {
        switch code {
        case .purchasesOff: CompatibleError(501, "purchases_not_set_up", "Nothing can be bought on this server yet.")
        case .purchaseInForce:
            CompatibleError(409, "purchase_in_force", "What was bought is in force; change it where it was bought.")
        case .nothingBought: CompatibleError(400, "no_subscription", "No subscription found")
        case .purchasePagesUsedUp:
            CompatibleError(
                429, "rate_limited", "Rate limit exceeded. Please try again in a few minutes.",
                members: ["remaining": 0], headers: headers)
        case .purchasesUnavailable:
            CompatibleError(
                503, "purchases_unavailable", "The shop does not answer. Please try again later.", headers: headers)
        default: nil
        }
    }
}
