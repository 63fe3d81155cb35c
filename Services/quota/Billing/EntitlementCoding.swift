import Contracts
import JSON

extension PurchaseState {
    /// As events have it.
    var json: JSONObject {
        JSONObject().adding([
            "notice": .string(notice), "purchase": .string(purchase), "customer": .string(customer),
            "statedAt": .time(statedAt), "step": .int(step.rawValue), "status": status.json, "plan": plan?.json,
            "price": .string(price.id), "amountMinor": price.amountMinor.map(JSONValue.int),
            "currency": price.currency.map(JSONValue.string), "quantity": .int(price.quantity),
            "boughtAt": .time(boughtAt), "periodStartsAt": .time(periodStartsAt), "periodEndsAt": .time(periodEndsAt),
            "trialEndsAt": trialEndsAt.map(JSONValue.time), "stopsAt": stopsAt.map(JSONValue.time),
            "endedAt": endedAt.map(JSONValue.time), "cancelledAt": cancelledAt.map(JSONValue.time),
            "renews": .bool(renews), "graceSeconds": .int(graceSeconds),
        ])
    }

    init(_ object: JSONObject) throws(JSONError) {
        guard let step = Step(rawValue: try object.int("step")) else {
            throw JSONError(.type, at: "step", "must be 0, 1 or 2")
        }
        self.init(
            notice: try object.string("notice"), purchase: try object.string("purchase"),
            customer: try object.string("customer"), statedAt: try object.timestamp("statedAt"), step: step,
            status: try object.code("status"), plan: try object.optionalCode("plan"),
            price: Price(
                id: try object.string("price"), amountMinor: try object.optionalInt("amountMinor"),
                currency: try object.optionalString("currency"), quantity: try object.int("quantity")),
            boughtAt: try object.timestamp("boughtAt"), periodStartsAt: try object.timestamp("periodStartsAt"),
            periodEndsAt: try object.timestamp("periodEndsAt"),
            trialEndsAt: try object.optionalTimestamp("trialEndsAt"),
            stopsAt: try object.optionalTimestamp("stopsAt"), endedAt: try object.optionalTimestamp("endedAt"),
            cancelledAt: try object.optionalTimestamp("cancelledAt"), renews: try object.bool("renews"),
            graceSeconds: try object.int("graceSeconds"))
    }
}

extension RefundState {
    /// As events have it.
    var json: JSONObject {
        [
            "notice": .string(notice), "payment": .string(payment), "customer": .string(customer),
            "statedAt": .time(statedAt), "paidAt": .time(paidAt), "amountMinor": .int(amountMinor),
            "currency": .string(currency), "isFull": .bool(isFull),
        ]
    }

    init(_ object: JSONObject) throws(JSONError) {
        self.init(
            notice: try object.string("notice"), payment: try object.string("payment"),
            customer: try object.string("customer"), statedAt: try object.timestamp("statedAt"),
            paidAt: try object.timestamp("paidAt"), amountMinor: try object.int("amountMinor"),
            currency: try object.string("currency"), isFull: try object.bool("isFull"))
    }
}
