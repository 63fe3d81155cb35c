import Contracts
import HTTPServer
import JSON

/// The API's description as one HTML page, in the look of the app page. It is whole without a script: what is long folds by itself. At
/// the gateway a module of the app page adds a form to each route, by which it is tried.
package enum OpenAPIPage {
    package static var text: String {
        let groups = services.map { service in
            (service: service, operations: Operations.all.filter { $0.service == service })
        }.filter { !$0.operations.isEmpty }
        return """
            <!doctype html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <title>MirrorMate API</title>
            <style>
            \(OpenAPIPageStyle.text)
            </style>
            <script type="module" src="/web/try.js"></script>
            </head>
            <body>
            <a class="skip" href="#main">Skip to the routes</a>
            <header class="top"><div><a class="brand" href="/">\(mark)MirrorMate</a><a href="/openapi.json">openapi.json</a></div></header>
            <div class="sides">
            <nav aria-label="Routes">
            \(groups.map { contents($0.service, $0.operations) }.joined(separator: "\n"))
            </nav>
            <main id="main" tabindex="-1">
            <h1>MirrorMate API</h1>
            <p class="lead">Every route with its answers and problems. The same for programs: <a href="/openapi.json">/openapi.json</a>
            (OpenAPI 3.1). Errors are problem documents (RFC 9457); tell them apart by <code>code</code>.</p>
            \(groups.map { section($0.service, $0.operations) }.joined(separator: "\n"))
            </main>
            </div>
            </body>
            </html>

            """
    }

    /// What clients speak to services about, in the order in which somebody meets them.
    private static let titles: [(service: ServiceName, title: String)] = [
        (.identity, "Accounts and signing in"), (.sessions, "Recordings and practice"), (.quota, "What is left"),
        (.reporting, "Reports and figures"),
    ]

    /// Those, and whichever has no title yet.
    private static var services: [ServiceName] {
        let known = titles.map(\.service)
        return known + ServiceName.allCases.filter { !known.contains($0) }
    }

    private static func title(_ service: ServiceName) -> String {
        titles.first { $0.service == service }?.title ?? service.rawValue
    }

    /// The mark of the app page, which has a file of its own there.
    private static let mark = """
        <svg viewBox="0 0 32 32" width="30" height="30" aria-hidden="true"><rect width="32" height="32" rx="9" fill="#0b6b61"/>\
        <g fill="none" stroke="#fff" stroke-width="2.6" stroke-linecap="round"><path d="M8 13.5v5M12 10v12M20 10v12M24 13.5v5"/>\
        <path d="M16 6v20" stroke="#ffcf87" stroke-dasharray=".1 4.4"/></g></svg>
        """

    private static func contents(_ service: ServiceName, _ operations: [Operation]) -> String {
        let items = operations.map { operation in
            "<li><a href=\"#\(operation.id)\">\(method(operation)) \(path(operation))</a></li>"
        }
        return """
            <details><summary>\(title(service))</summary><ul>
            \(items.joined(separator: "\n"))
            </ul></details>
            """
    }

    private static func section(_ service: ServiceName, _ operations: [Operation]) -> String {
        """
        <section aria-labelledby="\(service.rawValue)">
        <h2 id="\(service.rawValue)">\(title(service))</h2>
        \(operations.map(article).joined(separator: "\n"))
        </section>
        """
    }

    private static func article(_ operation: Operation) -> String {
        var rows = operation.parameters.map { parameter in
            row("\(parameter.place) \(parameter.name)", parameter.meaning + (parameter.isRequired ? " Required." : ""))
        }
        if let body = operation.body { rows.append(row("body", body)) }
        rows += operation.answers.map { row("\($0.status)", "\($0.meaning)\($0.schema.map { " (\($0))" } ?? "")") }
        let problems = operation.allProblems.map { row("\($0.status) \($0)", $0.advice) }
        let caller =
            switch operation.caller {
            case .anybody: "For anybody."
            case .user: "Needs an access token."
            case .app: "Needs the app's token."
            case .either: "With or without an access token."
            }
        return """
            <article id="\(operation.id)">
            <h3>\(method(operation)) \(path(operation))</h3>
            <p>\(escaped(operation.summary)) <span class="soft">\(caller)</span></p>
            <table>
            \(rows.joined(separator: "\n"))
            </table>
            <details><summary>\(problems.count == 1 ? "One problem" : "\(problems.count) problems")</summary>
            <table>
            \(problems.joined(separator: "\n"))
            </table>
            </details>
            </article>
            """
    }

    private static func method(_ operation: Operation) -> String {
        "<span class=\"method\">\(operation.method)</span>"
    }

    private static func path(_ operation: Operation) -> String { "<code>\(escaped(operation.path))</code>" }

    private static func row(_ name: String, _ text: String) -> String {
        "<tr><th scope=\"row\"><code>\(escaped(name))</code></th><td>\(escaped(text))</td></tr>"
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }
}
