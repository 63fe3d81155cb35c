import Contracts
import HTTPServer
import JSON
import ServiceKit
import notifications

/// The routes by which an account is told what happened.
extension Operations {
    static let webhooks = [
        Operation(
            .notifications, "POST", "/v1/webhooks/endpoints", "addWebhookEndpoint",
            """
            Adds an endpoint that is told what happens from now on, by requests that are signed as Standard Webhooks 1.0 has it. This \
            answer alone has the secret.
            """, .user,
            parameters: [
                header("Idempotency-Key", "The client's own value, the same when it repeats the request.")
            ], body: "WebhookEndpointWish", [ok("NewWebhookEndpoint", "It is told.", 201)],
            [
                .memberUnknown, .accountNeeded, .webhookImpossible, .webhooksUsedUp, .notFound, .idempotencyKeyReused,
            ]),
        Operation(
            .notifications, "GET", "/v1/webhooks/endpoints", "webhookEndpoints",
            "The caller's endpoints, newest first, without their secrets.", .user,
            [ok("WebhookEndpoints", "All of them.")]),
        Operation(
            .notifications, "DELETE", "/v1/webhooks/endpoints/{id}", "removeWebhookEndpoint",
            "Removes an endpoint, with all that was or is to be sent to it.", .user, [nothing("It is gone.")],
            [.notFound]),
        Operation(
            .notifications, "POST", "/v1/webhooks/endpoints/{id}/rotate", "rotateWebhookSecret",
            """
            Gives an endpoint another secret. For a day what is sent has two signatures, one with the secret before it. This answer alone \
            has the secret.
            """, .user, [ok("WebhookSecret", "It signs from now on.")], [.notFound, .webhooksUsedUp]),
        Operation(
            .notifications, "POST", "/v1/webhooks/endpoints/{id}/test", "testWebhookEndpoint",
            "Sends `endpoint.test`, whatever the endpoint is for.", .user,
            [ok("WebhookQueued", "It is to be sent.", 202)], [.notFound, .webhookDisabled, .webhookTestsUsedUp]),
        Operation(
            .notifications, "GET", "/v1/webhooks/endpoints/{id}/deliveries", "webhookDeliveries",
            "What was or is to be sent to an endpoint, newest first; what is over for thirty days more.", .user,
            parameters: page, [ok("WebhookDeliveries", "A page.")], [.invalidRequest, .notFound]),
        Operation(
            .notifications, "POST", "/v1/webhooks/deliveries/{id}/replay", "replayWebhookDelivery",
            "Sends something once more, with the same `webhook-id`; nothing changes where it waits anyway.", .user,
            [ok("WebhookQueued", "It is to be sent.", 202)], [.notFound, .webhookDisabled]),
    ]
}
