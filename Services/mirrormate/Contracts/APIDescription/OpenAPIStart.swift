/// What somebody reads first: the way from nothing to a report, and where everything else is.
enum OpenAPIStart {
    /// The calls in their order, by the id of the route, and what each is for.
    static let steps: [(operation: String, purpose: String)] = [
        ("device", "An anonymous device gets an access token; an account signs up or in instead."),
        (
            "createSession",
            "A session is made; the answer says where to upload. The Idempotency-Key makes a repetition harmless."
        ),
        ("upload", "The recording is put to that address."),
        ("finalizeSession", "It is complete, and its analysis begins."),
        ("followSession", "Progress as it happens, until it is over."),
        ("report", "The report."),
    ]

    static var text: String {
        let items = steps.map { step -> String in
            let name =
                Operations.all.first { $0.id == step.operation }.map { "\($0.method) \($0.path)" } ?? step.operation
            return
                "<tr><th scope=\"row\"><a href=\"#\(step.operation)\"><code>\(name)</code></a></th><td>\(step.purpose)</td></tr>"
        }
        return """
            <section aria-labelledby="start-here">
            <h2 id="start-here">Start here: six calls to a report</h2>
            <article>
            <table>
            \(items.joined(separator: "\n"))
            </table>
            <p class="soft">As a script that runs as it stands: README, “The API in six calls”. In Swift: <code>Examples/ios-client</code>, ten
            lines to a report. The free plan allows one session a day; <a href="#quota">what is left</a> says when the next one is.</p>
            </article>
            </section>
            """
    }
}
