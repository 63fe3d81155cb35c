import Contracts
import EventSourcing
import EventSourcingTesting
import EventStore
import JSON
import Primitives
import Testing

@testable import notifications

private typealias f = Fixture

/// The states of somebody's endpoints that rules tell apart.
private enum EndpointsState: CaseIterable {
    case none, one, disabled, removed

    /// The history that leads to it.
    var given: Specification<Webhooks> {
        switch self {
        case .none: Specification([])
        case .one: Specification([f.added])
        case .disabled: Specification([f.added, f.disabled])
        case .removed: Specification([f.added, f.removedEndpoint])
        }
    }
}

private enum NoticeHistory: CaseIterable {
    case absent, raised, subject

    var given: Specification<Notice> {
        switch self {
        case .absent: Specification([])
        case .raised: Specification([f.raised])
        case .subject: Specification([f.erased])
        }
    }
}

/// The stated outcome of every command in every state.
@Suite struct `Every state of endpoints and notices and every command` {
    private static let endpointRules: [CommandRule<EndpointsState, Webhooks>] = [
        .init(
            "add", .add(ownerId: f.owner, f.endpoint, sealed: f.sealed),
            .gives("WebhookEndpointAdded", in: .none, .removed), .nothing()),
        .init(
            "remove", .remove(ownerId: f.owner, endpointId: f.endpointId),
            .gives("WebhookEndpointRemoved", in: .one, .disabled), .refuses(.unknown)),
        .init("rotate", f.rotate, .gives("WebhookSecretRotated", in: .one, .disabled), .refuses(.unknown)),
        .init(
            "disable", .disable(ownerId: f.owner, endpointId: f.endpointId, .gone),
            .gives("WebhookEndpointDisabled", in: .one), .nothing()),
    ]
    private static let noticeRules: [CommandRule<NoticeHistory, Notice>] = [
        .init(
            "raise", .raise(ownerId: f.owner, f.notice, to: [f.endpointId]), .gives("NoticeRaised", in: .absent),
            .nothing()),
        .init("raise for nobody", .raise(ownerId: f.owner, f.notice, to: []), .nothing()),
        .init(
            "record the erasure", .recordErasure(subject: f.owner, removed: f.removed),
            .gives("SubjectErased", in: .absent), .nothing()),
    ]

    @Test(arguments: endpointRules)
    private func `of endpoints has the stated outcome`(rule: CommandRule<EndpointsState, Webhooks>) {
        #expect(rule.violations(given: \.given) == [])
    }

    @Test(arguments: noticeRules)
    private func `of notices has the stated outcome`(rule: CommandRule<NoticeHistory, Notice>) {
        #expect(rule.violations(given: \.given) == [])
    }

    @Test func `leads to each private event in some row`() {
        let without = Set(eventsWithoutRow(Self.endpointRules, of: "notifications"))
            .intersection(eventsWithoutRow(Self.noticeRules, of: "notifications"))
        #expect(without == [])
    }
}

@Suite struct `Endpoints of an owner` {
    @Test func `are ten at most, and one more when one was removed`() {
        let ten = Specification<Webhooks>(
            (0..<10).map { .endpointAdded(ownerId: f.owner, f.endpoint(f.id(20 + $0), [.reportReady])) })
        #expect(ten.when(f.add(f.id(40))) == .refusal(.usedUp))
        let nine = Specification<Webhooks>(
            ten.history + [.endpointRemoved(ownerId: f.owner, endpointId: f.id(20))])
        #expect(
            nine.when(f.add(f.id(40)))
                == .events([.endpointAdded(ownerId: f.owner, f.endpoint(f.id(40), [.reportReady]))]))
    }

    @Test func `are added twenty times a day, also when they are removed again`() {
        let history = (0..<20).flatMap { number -> [NotificationEvent] in
            [
                .endpointAdded(ownerId: f.owner, f.endpoint(f.id(20 + number), [.reportReady])),
                .endpointRemoved(ownerId: f.owner, endpointId: f.id(20 + number)),
            ]
        }
        let busy = Specification<Webhooks>(history)
        #expect(busy.when(f.add(f.id(60), addedAt: f.noon.adding(seconds: 86_399))) == .refusal(.usedUp))
        let nextDay = f.noon.adding(seconds: 86_400)
        #expect(
            busy.when(f.add(f.id(60), addedAt: nextDay))
                == .events([
                    .endpointAdded(ownerId: f.owner, f.endpoint(f.id(60), [.reportReady], addedAt: nextDay))
                ]))
    }

    @Test(arguments: [Set<NoticeKind>(), [.test], [.reportReady, .test]])
    func `are for something that happens`(kinds: Set<NoticeKind>) {
        let command = WebhooksCommand.add(
            ownerId: f.owner, f.endpoint(f.endpointId, kinds), sealed: f.sealed)
        #expect(Specification<Webhooks>([]).when(command) == .refusal(.noKinds))
    }

    @Test func `change their secret a hundred times`() {
        let worn = Specification<Webhooks>([f.added] + Array(repeating: f.rotated, count: 100))
        #expect(worn.when(f.rotate) == .refusal(.rotationsUsedUp))
    }

    @Test func `have address and secret in their row alone`() {
        let calls = Webhooks.rowCalls(
            for: .add(ownerId: f.owner, f.endpoint, sealed: f.sealed), .initial, [f.added])
        #expect(calls.map(\.json) == [WebhookRows.add(f.endpoint, of: f.owner, f.sealed).json])
        #expect(f.added.data["endpoint"]?["address"] == nil && f.added.data["endpoint"]?["secret"] == nil)
    }
}

@Suite struct `A notice` {
    @Test func `goes to endpoints that want its kind and were there when it happened`() {
        let endpoints = [
            f.endpoint(f.id(2), [.reportReady], addedAt: f.noon),
            f.endpoint(f.id(3), [.sessionFailed], addedAt: f.noon),
            f.endpoint(f.id(4), [.reportReady], addedAt: f.noon.adding(seconds: 1)),
            f.endpoint(f.id(5), [.reportReady, .sessionFailed], addedAt: f.noon.adding(seconds: -1)),
        ]
        #expect(f.notice(.reportReady, at: f.noon).recipients(among: endpoints) == [f.id(2), f.id(5)])
    }

    @Test func `of before an endpoint was there goes nowhere, however late it comes`() {
        let before = f.notice(.reportReady, at: f.noon.adding(seconds: -86_400))
        #expect(before.recipients(among: [f.endpoint]) == [])
    }

    @Test func `is sent under an id that follows from it and its endpoint`() {
        #expect(f.notice.deliveryId(to: f.endpointId) == f.notice.deliveryId(to: f.endpointId))
        #expect(f.notice.deliveryId(to: f.endpointId) != f.notice.deliveryId(to: f.other))
        var another = f.notice
        another.noticeId = f.id(11)
        #expect(f.notice.deliveryId(to: f.endpointId) != another.deliveryId(to: f.endpointId))
    }

    @Test func `is sent as type, time and data`() {
        #expect(
            f.notice.body
                == #"{"type":"report.ready","timestamp":"2027-01-15T08:01:00.000000Z","data":{"sessionId":"\#(f.id(10))"}}"#
        )
    }

    @Test func `stands in the queue of each endpoint with the event`() {
        let event = NotificationEvent.noticeRaised(ownerId: f.owner, f.notice, to: [f.endpointId, f.other])
        let command = NoticeCommand.raise(ownerId: f.owner, f.notice, to: [f.endpointId, f.other])
        #expect(
            Notice.rowCalls(for: command, .absent, [event]).map(\.json) == [
                WebhookRows.queue(f.notice, to: f.endpointId, of: f.owner).json,
                WebhookRows.queue(f.notice, to: f.other, of: f.owner).json,
            ])
    }
}
