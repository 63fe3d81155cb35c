import Access
import EventStore
import HTTPServer
import JSON
import Postgres
import Runtime
import ServiceKit

/// What operators ask of accounts.
///
/// | Route (admin port) | Answer |
/// |---|---|
/// | `POST /operator/users/find` `{email}` | `{id}` of the account with the address, or 404 |
@Loop struct IdentityOperators {
    let store: EventStore

    func add(to routes: OperatorRoutes) {
        // The address stands in the body, because paths and queries are logged.
        routes.on("POST", "/operator/users/find") { request in
            let email = try EmailAddress(try await request.jsonObject().string("email"))
            let row = try await store.pool.query(
                "select user_id from credentials where email_key = $1", [.text(email.key)]
            ).first
            guard let row else { throw Problem(.accountUnknown) }
            return .json(["id": .uuid(row.uuid(0))])
        }
    }
}
