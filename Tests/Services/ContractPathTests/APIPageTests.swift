import Contracts
import JSON
import Testing

@testable import APIDescription

@Suite struct `The page that describes the API` {
    private let page = OpenAPIPage.text(OpenAPIExamples())

    @Test func `has every route once, under what a client does with it`() {
        let shown = OpenAPIGroup.all.flatMap(\.operations).map(\.id)
        #expect(shown.sorted() == Operations.all.map(\.id).sorted())
        #expect(!OpenAPIGroup.all.contains { $0.id == "others" }, "A path that fits no group is to get one.")
        for operation in Operations.all {
            #expect(page.contains("<article id=\"\(operation.id)\">"), "\(operation.id)")
        }
    }

    @Test func `leads nowhere that is not there`() {
        let targets = Set(page.matches(of: #/ id="([^"]+)"/#).map { String($0.output.1) })
        let links = page.matches(of: #/ href="\#([^"]+)"/#).map { String($0.output.1) }
        #expect(links.count > 2 * Operations.all.count && links.filter { !targets.contains($0) } == [])
        #expect(page.matches(of: #/ id="([^"]+)"/#).count == targets.count, "No address is there twice.")
    }

    @Test func `begins with the way to a report, by routes that there are`() {
        let known = Set(Operations.all.map(\.id))
        #expect(OpenAPIStart.steps.count == 6 && OpenAPIStart.steps.allSatisfy { known.contains($0.operation) })
    }

    @Test func `has every member of every form, with its type`() {
        for (name, schema) in Schemas.all {
            #expect(page.contains("<article id=\"form-\(name)\">"), "\(name)")
            for field in SchemaWords.forms(schema).flatMap(SchemaWords.fields) {
                #expect(page.contains("<code>\(field.name)</code>"), "\(name).\(field.name)")
                #expect(!SchemaWords.form(field.schema) { $0 }.isEmpty, "\(name).\(field.name) has no type.")
            }
        }
    }

    private static let forms: [(JSONValue, String)] = [
        (["type": "string", "minLength": 8, "maxLength": 1024] as JSONValue, "text, 8 to 1024 characters"),
        (["type": "integer", "minimum": 0], "whole number, at least 0"),
        (["type": ["string", "null"], "format": "date-time"], "moment (RFC 3339, UTC) or null"),
        (
            ["type": "array", "maxItems": 500, "items": ["$ref": "#/components/schemas/Session"]],
            "list of Session, at most 500 items"
        ),
        (["enum": ["free", "premium"]], "free, premium"), (["const": "PUT"], "always PUT"),
        (["type": "object", "additionalProperties": ["type": "boolean"]], "object, by name: true or false"),
        (["oneOf": [["type": "string", "format": "date"], ["type": "null"]]], "day (YYYY-MM-DD) or null"),
    ]

    @Test(arguments: forms)
    func `says a form in words`(schema: JSONValue, words: String) {
        #expect(SchemaWords.form(schema) { $0 } == words)
    }

    @Test func `shows what was sent and answered, where that is known`() {
        let examples = OpenAPIExamples([
            "device": ["sent": ["deviceId": "<b>"], "status": 201, "answer": ["accessToken": "a"]],
            "quota": ["sent": nil, "status": 200, "answer": ["remaining": 1]],
        ])
        let shown = OpenAPIPage.text(examples)
        #expect(!page.contains("As it was sent"))
        #expect(shown.matches(of: #/As it was sent and answered/#).count == 2)
        #expect(shown.contains("<pre>{\n  \"deviceId\": \"&lt;b&gt;\"\n}</pre>"))
        #expect(shown.contains("answered with 201") && shown.contains("<pre>{\n  \"remaining\": 1\n}</pre>"))
    }

    @Test func `calls every route in Swift, as who may call it`() throws {
        for operation in Operations.all {
            let text = OpenAPISwiftCall(operation).text
            #expect(text.contains("let (answer, response) = try await URLSession.shared."), "\(operation.id)")
            #expect(text.contains("Authorization") == (operation.caller != .anybody), "\(operation.id)")
            #expect(text.contains("request.httpBody") == operation.takesJSON, "\(operation.id)")
            #expect(text.contains("fromFile: file") == (operation.fileTypes != nil), "\(operation.id)")
        }
    }

    @Test func `calls every route in a shell, with a body that has what it must have`() throws {
        for operation in Operations.all where operation.takesJSON {
            let body = try #require(Schemas.all.first { $0.0 == operation.body }?.1)
            let example = SchemaWords.example(body)
            for field in SchemaWords.fields(body) where field.isRequired {
                #expect(example[field.name] != nil, "\(operation.id): \(field.name)")
            }
            #expect(OpenAPICall(operation).text.contains("--data '\(example.text)'"))
        }
        let device = try #require(Operations.all.first { $0.id == "device" })
        #expect(
            OpenAPICall(device).text.hasSuffix("\"$MIRRORMATE_URL/v1/auth/device\"")
                && !OpenAPICall(device).text.contains("Authorization"))
    }
}
