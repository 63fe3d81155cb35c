import Contracts
import EventConsumer
import EventStore
import JSON
import Postgres
import Primitives
import Runtime
import ServiceTesting
import Testing

@testable import ServiceKit
@testable import quota

private typealias Group = ServiceUnderTest<QuotaService>

/// What every service but identity does when it hears that a login session has ended.
@Suite(.timeLimit(.minutes(2))) @Loop struct `A login session that identity has ended` {
    private let user = UUID.v7()
    private let session = UUID.v4()

    private func ended(until end: Timestamp = .now() + .seconds(900)) -> LoginSessionEnded {
        LoginSessionEnded(userId: user, loginSessionId: session, reason: .signedOut, tokensUntil: end)
    }

    private func answer(_ group: Group, _ session: UUID, _ instance: Group.Instance? = nil) async throws -> Answer {
        let token = try group.token(for: user, session: session)
        return try await group.send(
            "GET", "/v1/quota", headers: [("Authorization", "Bearer \(token)")], to: instance)
    }

    @Test func `opens nothing in any instance, and the user's other ones do`() async throws {
        try await withService(QuotaService.self, instances: 2, background: true) { group in
            #expect(try await answer(group, session).status == 200)
            try await group.deliver(ended())
            for instance in group.instances {
                let isRefused = try await group.eventually { try await answer(group, session, instance).status == 401 }
                #expect(isRefused)
                let refused = try await answer(group, session, instance)
                #expect(refused.code == "login-session-ended" && refused.header("www-authenticate") == "Bearer")
                #expect(try await answer(group, .v4(), instance).status == 200)
            }
        }
    }

    @Test func `is known to an instance that starts later, without a look at the log`() async throws {
        try await withService(QuotaService.self) { group in
            try await group.deliver(ended())
            try await group.deliver(ended(until: Timestamp.now() - .seconds(61)))
            let later = EndedLogins(group.store, log: group.context.log)
            try await later.fill()
            #expect(later.refusal(of: caller) == .loginSessionEnded)
        }
    }

    @Test func `is forgotten, in memory and as a row, when none of its tokens can be valid any more`() async throws {
        try await withService(QuotaService.self) { group in
            let logins = group.context.ended
            let end = Timestamp.now() + .seconds(900)
            // Told again after a restore, with an earlier moment that does not count.
            for message in [ended(until: end), ended(until: end - .seconds(300))] {
                try await group.deliver(message)
                try await logins.follow()
            }
            try await logins.forget(at: end + .seconds(59))
            #expect(logins.refusal(of: caller) == .loginSessionEnded)
            #expect(try await group.count("select count(*) from ended_logins") == 1)
            try await logins.forget(at: end + .seconds(61))
            #expect(logins.refusal(of: caller) == nil)
            #expect(try await group.count("select count(*) from ended_logins") == 0)
        }
    }

    @Test func `is learned once, and not at all of somebody who is erased`() async throws {
        try await withService(QuotaService.self) { group in
            let message = try await group.deliver(ended())
            #expect(try await !group.deliver(message))
            #expect(try await group.count("select count(*) from events where type = 'LoginSessionEndLearned'") == 1)
            try await group.deliver(UserErasedV2(userId: user))
            #expect(try await !group.deliver(group.topic.message(ended())))
            try await group.context.ended.follow()
            #expect(try await answer(group, session).code == "user-gone")
            #expect(try await answer(group, .v4()).code == "user-gone")
        }
    }

    private var caller: Caller {
        Caller(
            user: user, isDevice: false, session: session, timeZone: nil, expiresAt: .now() + .seconds(900),
            authenticatedAt: nil, isEmailVerified: nil)
    }
}
