package import JSON

/// Which mails a user wants besides those about the account itself, which nobody can turn off: whoever took an account over
/// would do so first.
package struct NotificationPreferences: Sendable, Equatable {
    /// What is new in the product; needs a word of the user's.
    package var productNews = false
    /// Reminders to go on with what was recommended.
    package var coachingReminders = true
    /// A summary of the week.
    package var weeklySummary = true

    /// As a user has them who said nothing.
    package init() {}

    /// - Throws: `JSONError` when one is missing or no boolean.
    package init(_ object: JSONObject) throws(JSONError) {
        productNews = try object.bool("productNews")
        coachingReminders = try object.bool("coachingReminders")
        weeklySummary = try object.bool("weeklySummary")
    }

    package var json: JSONObject {
        [
            "productNews": .bool(productNews), "coachingReminders": .bool(coachingReminders),
            "weeklySummary": .bool(weeklySummary),
        ]
    }
}
