import HTTPServer
import JSON

/// The API's description as one self-contained HTML page.
package enum OpenAPIPage {
    package static var text: String {
        let parts = Operations.all.map(section).joined(separator: "\n")
        return """
            <!doctype html>
            <html lang="en">
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <title>MirrorMate API</title>
            <style>
            body { font: 16px/1.5 system-ui, sans-serif; max-width: 56rem; margin: 2rem auto; padding: 0 1rem; color: #1c1c1e }
            h2 { font: 600 1.05rem ui-monospace, monospace; margin: 2.5rem 0 .25rem }
            table { border-collapse: collapse; width: 100%; font-size: .9rem }
            td { border-top: 1px solid #ddd; padding: .3rem .6rem .3rem 0; vertical-align: top }
            code { font-size: .9em }
            @media (prefers-color-scheme: dark) { body { background: #1c1c1e; color: #eee } td { border-color: #444 } a { color: #8ab4ff } }
            </style>
            <h1>MirrorMate API</h1>
            <p>Every route with its answers and problems. The same for programs: <a href="/openapi.json">/openapi.json</a>
            (OpenAPI 3.1). Errors are problem documents (RFC 9457); tell them apart by <code>code</code>.</p>
            \(parts)
            </html>

            """
    }

    private static func section(_ operation: Operation) -> String {
        var rows = operation.parameters.map { parameter in
            row("\(parameter.place) \(parameter.name)", parameter.meaning + (parameter.isRequired ? " Required." : ""))
        }
        if let body = operation.body { rows.append(row("body", body)) }
        rows += operation.answers.map { row("\($0.status)", "\($0.meaning)\($0.schema.map { " (\($0))" } ?? "")") }
        rows += operation.allProblems.map { row("\($0.status) \($0)", $0.advice) }
        let caller =
            switch operation.caller {
            case .anybody: "For anybody."
            case .user: "Needs an access token."
            case .app: "Needs the app's token."
            case .either: "With or without an access token."
            }
        return """
            <h2 id="\(operation.id)">\(operation.method) \(escaped(operation.path))</h2>
            <p>\(escaped(operation.summary)) \(caller)</p>
            <table>
            \(rows.joined(separator: "\n"))
            </table>
            """
    }

    private static func row(_ name: String, _ text: String) -> String {
        "<tr><td><code>\(escaped(name))</code></td><td>\(escaped(text))</td></tr>"
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }
}
