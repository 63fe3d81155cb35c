import Contracts
import EventSourcing
import EventStore
import HTTPServer
import JSON
import Postgres
import Primitives
import Runtime
import ServiceKit
import ServiceTesting
import Testing

@testable import notifications

@Suite(.timeLimit(.minutes(5))) @Loop struct `What is sent to an endpoint` {
    private let owner = UUID.v7()

    // MARK: What is told

    @Test func `is signed, and says what happened by identifiers alone`() async throws {
        try await withReceiver { group, receiver in
            let (id, secret) = try await group.endpoint(at: receiver.url(), of: owner)
            let session = UUID.v7()
            try await group.deliver(group.ready(session, of: owner))
            #expect(try await group.eventually { receiver.received.count == 1 })
            let came = try #require(receiver.received.first)
            #expect(came.isSigned(with: secret) && came.signatures.count == 1)
            let body = try came.json
            #expect(body.keys == ["type", "timestamp", "data"] && body["type"] == "report.ready")
            #expect(
                body["data"]
                    == ["sessionId": .uuid(session), "reportId": .uuid(.v5(namespace: session, name: "report"))])
            #expect(try await group.eventually { try await group.deliveries(of: id, owner)[0]["state"] == "delivered" })
            let delivery = try await group.deliveries(of: id, owner)[0]
            #expect(delivery["deliveryId"]?.stringValue == came.id)
            #expect(delivery["attempts"] == 1 && delivery["status"] == 204 && delivery["dueAt"] == .null)
        }
    }

    @Test func `is counted for operators: what is due and not sent, whom nothing reaches`() async throws {
        try await withReceiver(background: false) { group, receiver in
            func found() async throws -> WebhookFindings { try await WebhookFindings.count(group.administrator) }
            #expect(try await found() == WebhookFindings())
            let id = try await group.endpoint(at: receiver.url(), of: owner).id
            try await group.deliver(group.ready(of: owner))
            _ = try await group.administrator.query(
                "update webhook_deliveries set due_at = now() - interval '10 min'")
            _ = try await group.administrator.query("update webhook_endpoints set next_due = now() - interval '10 min'")
            let late = try await found()
            #expect(late.due == 1 && late.dueSeconds >= 600 && late.findings.map(\.code) == ["webhooks-late"])
            _ = try await group.administrator.query(
                "update webhook_endpoints set busy_until = now() + interval '1 min'")
            #expect(try await found().due == 0, "it is on its way")
            _ = try await group.administrator.query(
                """
                update webhook_deliveries set attempts = 1, tried_at = now(), failure = 'connect' where endpoint_id = $1
                """, [.uuid(id)])
            let silent = try await found()
            #expect(silent.tried == 1 && silent.answered == 0 && silent.sealed == 0)
            _ = try await group.administrator.query("update webhook_deliveries set failure = 'unsealable'")
            #expect(try await found().findings.map(\.code) == ["webhooks-sealed"])
            _ = try await group.administrator.query("update webhook_deliveries set failure = null, status = 500")
            #expect(try await found().answered == 1)
        }
    }

    @Test func `is of each kind that others tell of, where the endpoint is for it`() async throws {
        try await withReceiver { group, receiver in
            _ = try await group.endpoint(at: receiver.url(), of: owner)
            _ = try await group.endpoint(at: receiver.url("/other"), of: owner, [.milestoneReached])
            let session = SessionIdentity(sessionId: .v7(), ownerId: owner, kind: .mirrormate)
            try await group.deliver(group.ready(of: owner))
            try await group.deliver(SessionFailed(session, code: .noSpeech, retryable: false))
            try await group.deliver(GoalMet(ownerId: owner, goalId: .v7()))
            try await group.deliver(MilestoneReached(ownerId: owner, kind: .meditation, streakDays: 7))
            try await group.deliver(PlanChanged(ownerId: owner, plan: .premium))
            // Of somebody else, and nothing that anybody is told of.
            try await group.deliver(group.ready(of: .v7()))
            try await group.deliver(SessionCompleted(session))
            #expect(try await group.eventually { receiver.received.count == 6 })
            let told = try receiver.received.map { "\($0.path) \(try $0.json.string("type"))" }
            #expect(
                told.sorted() == [
                    "/in entitlement.changed", "/in goal.met", "/in milestone.reached", "/in report.ready",
                    "/in session.failed",
                    "/other milestone.reached",
                ])
            #expect(try await group.count("select count(*) from webhook_deliveries") == 6)
        }
    }

    @Test func `is nothing of before it was added, and one thing however often its message comes`() async throws {
        try await withReceiver(background: false) { group, receiver in
            _ = try await group.endpoint(at: receiver.url(), of: owner)
            let hourAgo = Timestamp.now().adding(seconds: -3_600)
            let late = try group.topic.message(Outgoing(group.ready(of: owner)), at: hourAgo)
            #expect(try await !group.deliver(late))
            let message = try await group.deliver(group.ready(of: owner))
            try await group.deliver(message)
            #expect(try await group.count("select count(*) from webhook_deliveries") == 1)
            #expect(try await group.count("select count(*) from events where type = 'NoticeRaised'") == 1)
        }
    }

    // MARK: What does not arrive

    @Test func `comes again with the same id when it did not arrive, not before the receiver wants it`() async throws {
        try await withReceiver { group, receiver in
            let (id, secret) = try await group.endpoint(at: receiver.url(), of: owner)
            receiver.answer = { _ in Response(status: 503, headers: ["Retry-After": "600"]) }
            try await group.deliver(group.ready(of: owner))
            #expect(try await group.eventually { try await group.deliveries(of: id, owner)[0]["status"] == 503 })
            let waiting = try #require(try await group.deliveries(of: id, owner)[0].objectValue)
            #expect(waiting["state"] == "waiting" && waiting["attempts"] == 1)
            // The database read its clock twice.
            #expect(try waiting.timestamp("dueAt") - waiting.timestamp("triedAt") > .seconds(599))
            #expect(try await group.endpoints(of: owner)[0]["failingSince"] != .null)
            receiver.answer = { _ in .noContent }
            try await group.hurry()
            #expect(try await group.eventually { try await group.deliveries(of: id, owner)[0]["state"] == "delivered" })
            #expect(receiver.received.count == 2 && Set(receiver.received.map(\.id)).count == 1)
            #expect(receiver.received.allSatisfy { $0.isSigned(with: secret) })
            #expect(try await group.endpoints(of: owner)[0]["failingSince"] == .null)
        }
    }

    @Test func `goes to no other place when the receiver names one`() async throws {
        try await withReceiver { group, receiver in
            let (id, _) = try await group.endpoint(at: receiver.url(), of: owner)
            let other = receiver.url("/other")
            receiver.answer = { _ in Response(status: 307, headers: ["Location": other]) }
            try await group.deliver(group.ready(of: owner))
            #expect(try await group.eventually { try await group.deliveries(of: id, owner)[0]["status"] == 307 })
            #expect(Set(receiver.received.map(\.path)) == ["/in"])
            #expect(try await group.deliveries(of: id, owner)[0]["state"] == "waiting")
        }
    }

    @Test func `ends with 410, and so does all that waits`() async throws {
        try await withReceiver { group, receiver in
            let (id, _) = try await group.endpoint(at: receiver.url(), of: owner)
            receiver.answer = { _ in Response(status: 503, headers: ["Retry-After": "600"]) }
            try await group.deliver(group.ready(of: owner))
            #expect(try await group.eventually { try await group.deliveries(of: id, owner)[0]["status"] == 503 })
            receiver.answer = { _ in Response(status: 410) }
            try await group.deliver(group.ready(of: owner))
            #expect(try await group.eventually { try await group.endpoints(of: owner)[0]["standing"] == "gone" })
            let states = try await group.deliveries(of: id, owner).map { $0["state"] }
            #expect(states == ["failed", "dropped"])
            #expect(try await !group.deliver(try group.topic.message(group.ready(of: owner))), "nobody is told")
            let test = try await group.send("POST", "/v1/webhooks/endpoints/\(id)/test", as: owner)
            #expect(test.status == 409 && test.json["code"] == "webhook-disabled")
            let delivery = try #require(try await group.deliveries(of: id, owner)[0]["deliveryId"]?.stringValue)
            let replay = try await group.send("POST", "/v1/webhooks/deliveries/\(delivery)/replay", as: owner)
            #expect(replay.status == 409 && replay.json["code"] == "webhook-disabled")
        }
    }

    @Test func `is given up after the tenth time, with an endpoint where nothing arrived for days`() async throws {
        try await withReceiver { group, receiver in
            let (id, _) = try await group.endpoint(at: receiver.url(), of: owner)
            receiver.answer = { _ in Response(status: 500) }
            try await group.deliver(group.ready(of: owner))
            #expect(try await group.eventually { try await group.deliveries(of: id, owner)[0]["attempts"] == 1 })
            _ = try await group.administrator.query(
                "update webhook_endpoints set failing_since = now() - interval '4 days'")
            _ = try await group.administrator.query("update webhook_deliveries set attempts = 9")
            try await group.hurry()
            #expect(try await group.eventually { try await group.endpoints(of: owner)[0]["standing"] == "failing" })
            #expect(try await group.deliveries(of: id, owner)[0]["state"] == "failed")
        }
    }

    @Test func `waits for no other endpoint, however long that takes`() async throws {
        // Fewer places than endpoints that do not answer before all others have theirs.
        try await withReceiver(["WEBHOOKS_AT_ONCE": "4", "WEBHOOK_DEADLINE": "30s"]) { group, receiver in
            let arrived = Signal()
            receiver.answer = { came in
                guard came.path == "/other" else {
                    arrived.raise()
                    return .noContent
                }
                while receiver.received.count(where: { $0.path == "/in" }) < 20 {
                    try await arrived.wait(atMost: .seconds(1))
                }
                return .noContent
            }
            let slow = (0..<3).map { _ in UUID.v7() }
            for user in slow { _ = try await group.endpoint(at: receiver.url("/other"), of: user) }
            _ = try await group.endpoint(at: receiver.url(), of: owner)
            for user in slow {
                for _ in 0..<2 { try await group.deliver(group.ready(of: user)) }
            }
            for _ in 0..<20 { try await group.deliver(group.ready(of: owner)) }
            #expect(try await group.eventually { receiver.received.count { $0.path == "/in" } == 20 })
            #expect(Set(receiver.received.filter { $0.path == "/in" }.map(\.id)).count == 20)
            #expect(
                try await group.eventually {
                    try await group.count("select count(*) from webhook_deliveries where state = 'delivered'") == 26
                })
        }
    }

    // MARK: By hand

    @Test func `is a test whatever the endpoint is for, twenty times an hour`() async throws {
        try await withReceiver { group, receiver in
            let (id, _) = try await group.endpoint(at: receiver.url(), of: owner, [.reportReady])
            let answer = try await group.send("POST", "/v1/webhooks/endpoints/\(id)/test", as: owner)
            #expect(answer.status == 202)
            #expect(try await group.eventually { receiver.received.count == 1 })
            #expect(receiver.received[0].id == answer.json["deliveryId"]?.stringValue)
            #expect(try receiver.received[0].json["type"] == "endpoint.test")
            for _ in 0..<19 {
                #expect(try await group.send("POST", "/v1/webhooks/endpoints/\(id)/test", as: owner).status == 202)
            }
            let more = try await group.send("POST", "/v1/webhooks/endpoints/\(id)/test", as: owner)
            #expect(more.status == 429 && more.json["code"] == "webhook-tests-used-up")
        }
    }

    @Test func `has two signatures for a day after another secret was made`() async throws {
        try await withReceiver { group, receiver in
            let (id, old) = try await group.endpoint(at: receiver.url(), of: owner)
            let rotated = try await group.send("POST", "/v1/webhooks/endpoints/\(id)/rotate", as: owner)
            let new = try rotated.json.string("secret")
            #expect(rotated.status == 200 && new != old && rotated.header("cache-control") == "no-store")
            try await group.deliver(group.ready(of: owner))
            #expect(try await group.eventually { receiver.received.count == 1 })
            #expect(receiver.received[0].isSigned(with: old) && receiver.received[0].isSigned(with: new))
            _ = try await group.administrator.query(
                "update webhook_endpoints set earlier_until = now() - interval '1 second'")
            try await group.deliver(group.ready(of: owner))
            #expect(try await group.eventually { receiver.received.count == 2 })
            #expect(!receiver.received[1].isSigned(with: old) && receiver.received[1].isSigned(with: new))
            for _ in 1..<Webhooks.rotationLimit {
                _ = try await group.send("POST", "/v1/webhooks/endpoints/\(id)/rotate", as: owner)
            }
            let worn = try await group.send("POST", "/v1/webhooks/endpoints/\(id)/rotate", as: owner)
            #expect(worn.status == 409 && worn.json["code"] == "webhooks-used-up")
        }
    }

    @Test func `is sent once more under the same id when its owner wants that`() async throws {
        try await withReceiver { group, receiver in
            let (id, secret) = try await group.endpoint(at: receiver.url(), of: owner)
            try await group.deliver(group.ready(of: owner))
            #expect(
                try await group.eventually {
                    try await group.deliveries(of: id, owner).first?["state"] == "delivered"
                })
            let delivery = receiver.received[0].id
            let path = "/v1/webhooks/deliveries/\(delivery)/replay"
            #expect(try await group.send("POST", path, as: .v7()).status == 404)
            #expect(try await group.send("POST", path, as: owner).status == 202)
            #expect(try await group.eventually { receiver.received.count == 2 })
            #expect(receiver.received[1].id == delivery && receiver.received[1].isSigned(with: secret))
            #expect(receiver.received[1].body == receiver.received[0].body)
            let unknown = try await group.send("POST", "/v1/webhooks/deliveries/\(UUID.v7())/replay", as: owner)
            #expect(unknown.status == 404)
        }
    }

    @Test func `is shown in pages, newest first`() async throws {
        try await withReceiver(background: false) { group, receiver in
            let (id, _) = try await group.endpoint(at: receiver.url(), of: owner)
            for _ in 0..<3 { try await group.deliver(group.ready(of: owner)) }
            let path = "/v1/webhooks/endpoints/\(id)/deliveries?limit=2"
            let first = try await group.send("GET", path, as: owner).json
            let cursor = try first.string("nextCursor")
            let second = try await group.send("GET", "\(path)&cursor=\(cursor)", as: owner).json
            let ids = try (first.array("items") + second.array("items")).map { $0["deliveryId"]?.stringValue }
            #expect(Set(ids).count == 3 && second["nextCursor"] == nil)
        }
    }

    @Test func `is kept for thirty days after it is over`() async throws {
        try await withReceiver(background: false) { group, receiver in
            _ = try await group.endpoint(at: receiver.url(), of: owner)
            for _ in 0..<3 { try await group.deliver(group.ready(of: owner)) }
            let ids = try await group.administrator.query("select delivery_id from webhook_deliveries").rows
            for (row, days) in zip(ids, [31, 29]) {
                _ = try await group.administrator.query(
                    """
                    update webhook_deliveries set state = 'delivered', due_at = null,
                        tried_at = now() - interval '\(days) days' where delivery_id = $1
                    """, [.uuid(row.uuid(0))])
            }
            try await WebhookQueue(pool: group.store.pool).sweep()
            #expect(try await group.count("select count(*) from webhook_deliveries") == 2)
        }
    }

    // MARK: Erasure

    @Test func `is nothing any more when its owner is erased, and nothing is left of it`() async throws {
        try await withReceiver(background: false) { group, receiver in
            _ = try await group.endpoint(at: receiver.url(), of: owner)
            let other = UUID.v7()
            _ = try await group.endpoint(at: receiver.url(), of: other)
            try await group.deliver(group.ready(of: owner))
            try await group.deliver(UserErased(userId: owner))
            for table in ["webhook_endpoints", "webhook_deliveries"] {
                #expect(try await group.count("select count(*) from \(table) where owner_id = '\(owner)'") == 0)
            }
            #expect(try await group.endpoints(of: other).count == 1)
            let told = try #require(try await group.store.read(.subject(owner)).first)
            let out = try #require(try NotificationsService.publication(told))
            #expect(out.data["removed"]?["rows"] == 2 && out.data["service"] == "notifications")
            try await group.deliver(group.ready(of: owner))
            #expect(try await group.count("select count(*) from webhook_deliveries") == 0)
        }
    }
}
