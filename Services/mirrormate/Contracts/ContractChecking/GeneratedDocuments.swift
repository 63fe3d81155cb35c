import Contracts
import JSON

/// The documents in `docs/` that are generated from the code; a test regenerates and compares them.
package enum GeneratedDocuments {
    /// The texts, by path relative to the repository's root.
    package static func all(_ tree: ContractTree) -> [(path: String, text: String)] {
        var documents = [
            ("docs/events.md", EventCatalogueText(tree).text),
            ("docs/asyncapi.json", JSONValue.object(AsyncAPIDocument(tree).json).prettyText + "\n"),
        ]
        for message in Catalogue.messages {
            var schema: JSONObject = [
                "$schema": "https://json-schema.org/draft/2020-12/schema",
                "$id": .string("urn:\(message.type.description.replacing(".", with: ":"))"),
            ]
            for member in message.schema.members { schema[member.key] = member.value }
            documents.append(
                (
                    "docs/schemas/\(message.service.rawValue)/\(message.shortName).json",
                    JSONValue.object(schema).prettyText + "\n"
                ))
        }
        return documents
    }
}
