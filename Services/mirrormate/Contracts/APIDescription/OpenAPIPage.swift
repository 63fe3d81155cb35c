import Contracts
import HTTPServer
import JSON

/// The API's description as one HTML page, in the look of the app page. It is whole without a script: what is long folds by itself. At
/// the gateway modules of the app page add a search, and a form to each route, by which it is tried.
package enum OpenAPIPage {
    /// - Parameter examples: what was really sent and answered.
    package static func text(_ examples: OpenAPIExamples) -> String {
        let groups = OpenAPIGroup.all
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
            <script type="module" src="/web/find.js"></script>
            </head>
            <body>
            <a class="skip" href="#main">Skip to the routes</a>
            <header class="top"><div><a class="brand" href="/">\(mark)MirrorMate</a><a href="/openapi.json">openapi.json</a></div></header>
            <div class="sides">
            <nav aria-label="Routes">
            <details open><summary>Start here</summary><ul>
            <li><a href="#start-here">Six calls to a report</a></li>
            <li><a href="#all-forms">Every form, field by field</a></li>
            </ul></details>
            \(groups.map(contents).joined(separator: "\n"))
            </nav>
            <main id="main" tabindex="-1">
            <h1>MirrorMate API</h1>
            <p class="lead">Every route with its answers and problems. The same for programs: <a href="/openapi.json">/openapi.json</a>
            (OpenAPI 3.1). Errors are problem documents (RFC 9457); tell them apart by <code>code</code>.</p>
            \(OpenAPIStart.text)
            \(groups.map { section($0, examples) }.joined(separator: "\n"))
            \(forms)
            </main>
            </div>
            </body>
            </html>

            """
    }

    /// The mark of the app page, which has a file of its own there.
    private static let mark = """
        <svg viewBox="0 0 32 32" width="30" height="30" aria-hidden="true"><rect width="32" height="32" rx="9" fill="#0b6b61"/>\
        <g fill="none" stroke="#fff" stroke-width="2.6" stroke-linecap="round"><path d="M8 13.5v5M12 10v12M20 10v12M24 13.5v5"/>\
        <path d="M16 6v20" stroke="#ffcf87" stroke-dasharray=".1 4.4"/></g></svg>
        """

    private static func contents(_ group: OpenAPIGroup) -> String {
        let items = group.operations.map { operation in
            "<li><a href=\"#\(operation.id)\">\(method(operation)) \(path(operation))</a></li>"
        }
        return """
            <details><summary>\(group.title)</summary><ul>
            \(items.joined(separator: "\n"))
            </ul></details>
            """
    }

    private static func section(_ group: OpenAPIGroup, _ examples: OpenAPIExamples) -> String {
        """
        <section aria-labelledby="group-\(group.id)">
        <h2 id="group-\(group.id)">\(group.title)</h2>
        \(group.operations.map { article($0, examples) }.joined(separator: "\n"))
        </section>
        """
    }

    /// Every form of a body or an answer, with the members that it has.
    private static var forms: String {
        let articles = Schemas.all.map { name, schema in
            let tables = SchemaWords.forms(schema).map { form in
                let fields = SchemaWords.fields(form)
                if fields.isEmpty { return "<p>\(SchemaWords.form(form, link: link)).</p>" }
                return "<table>\n\(fields.map(row).joined(separator: "\n"))\n</table>"
            }
            return """
                <article id="form-\(name)">
                <h3>\(name)</h3>
                \(tables.joined(separator: "\n<p class=\"soft\">or</p>\n"))
                </article>
                """
        }
        return """
            <section aria-labelledby="all-forms">
            <h2 id="all-forms">Every form, field by field</h2>
            \(articles.joined(separator: "\n"))
            </section>
            """
    }

    private static func row(_ field: SchemaWords.Field) -> String {
        let form = SchemaWords.form(field.schema, link: link)
        let meaning = field.meaning.map { "<br>\(escaped($0))" } ?? ""
        let need = field.isRequired ? "" : " <span class=\"soft\">may be missing</span>"
        return "<tr><th scope=\"row\"><code>\(escaped(field.name))</code>\(need)</th><td>\(form)\(meaning)</td></tr>"
    }

    private static func link(_ form: String) -> String {
        Schemas.files[form] == nil && Schemas.all.contains { $0.0 == form }
            ? "<a href=\"#form-\(form)\">\(form)</a>" : form
    }

    private static func article(_ operation: Operation, _ examples: OpenAPIExamples) -> String {
        var rows = operation.parameters.map { parameter in
            row("\(parameter.place) \(parameter.name)", parameter.meaning + (parameter.isRequired ? " Required." : ""))
        }
        if let body = operation.body { rows.append(row("body", of: link(body))) }
        rows += operation.answers.map { answer in
            row("\(answer.status)", of: escaped(answer.meaning) + (answer.schema.map { " (\(link($0)))" } ?? ""))
        }
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
            \(example(examples.shown(operation)))<details><summary>With curl</summary><p><code>\(escaped(OpenAPICall(operation).text))</code></p></details>
            <details><summary>In Swift</summary><pre class="swift">\(escaped(OpenAPISwiftCall(operation).text))</pre></details>
            <details><summary>\(problems.count == 1 ? "One problem" : "\(problems.count) problems")</summary>
            <table>
            \(problems.joined(separator: "\n"))
            </table>
            </details>
            </article>
            """
    }

    /// What was sent and answered once, folded; nothing where there is no example.
    private static func example(_ shown: (sent: String?, status: Int64, answer: String)?) -> String {
        guard let shown else { return "" }
        let sent = shown.sent.map { "<p class=\"soft\">sent</p><pre>\(escaped($0))</pre>" } ?? ""
        return """
            <details><summary>As it was sent and answered</summary>\(sent)<p class="soft">answered with \(shown.status)</p>\
            <pre>\(escaped(shown.answer))</pre></details>

            """
    }

    private static func method(_ operation: Operation) -> String {
        "<span class=\"method\">\(operation.method)</span>"
    }

    private static func path(_ operation: Operation) -> String { "<code>\(escaped(operation.path))</code>" }

    private static func row(_ name: String, _ text: String) -> String { row(name, of: escaped(text)) }

    private static func row(_ name: String, of markup: String) -> String {
        "<tr><th scope=\"row\"><code>\(escaped(name))</code></th><td>\(markup)</td></tr>"
    }

    static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }
}
