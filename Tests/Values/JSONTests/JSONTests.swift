import JSON
import Primitives
import Testing

@Suite struct `JSON values` {
    @Test func `keep members in order and integers exact`() throws {
        let text = #"{"b":9007199254740993,"a":[1.5,true,null,"ä\n"],"c":{}}"#
        let value = try JSONValue.parse(text)
        #expect(value["b"] == .int(9_007_199_254_740_993))
        #expect(value.text == text)
    }

    @Test(arguments: [
        "", "{", "[1,]", "{\"a\":1,}", "01", "1.", "+1", "tru", "\"\u{1}\"", #""\ud800""#, #""\udc00""#, #""\u0000""#,
        #"{"a":1,"a":2}"#, "1 2", "99999999999999999999", "1e999", #""\x""#, #""\u12g4""#, "nan",
    ])
    func `refuse what is not strict JSON`(text: String) {
        #expect(throws: JSONError.self) { try JSONValue.parse(text) }
    }

    @Test func `are composed in order, without members that have no value`() {
        let text: String? = nil
        let object = JSONObject([("a", 1)]).adding(["b": text.map(JSONValue.string), "c": .null, "a": 2])
        #expect(JSONValue.object(object.adding(membersOf: ["d": true])).text == #"{"a":2,"c":null,"d":true}"#)
    }

    @Test func `refuse bytes that are not UTF-8`() {
        #expect(throws: JSONError.self) { try JSONValue.parse([0x22, 0xC3, 0x28, 0x22]) }
    }

    @Test func `refuse nesting without end`() {
        let deep = String(repeating: "[", count: 100) + String(repeating: "]", count: 100)
        #expect(throws: JSONError.self) { try JSONValue.parse(deep) }
    }

    @Test func `of strangers are refused where they go beyond what is read, however they are made`() throws {
        let many = (0..<1_001).map { #""m\#($0)":0"# }.joined(separator: ",")
        let deep = String(repeating: "[", count: 17) + String(repeating: "]", count: 17)
        for text in [
            "{\(many)}", "[\(String(repeating: "0,", count: 1_000))0]", #"{"a":\#(deep)}"#, deep,
            "[\(String(repeating: "{},", count: 1_000))[]]",
        ] {
            #expect(throws: JSONError.self) { try JSONValue.parse(Array(text.utf8), limits: .foreign) }
            #expect(throws: Never.self) { try JSONValue.parse(text) }
        }
        let right = "[\(String(repeating: "0,", count: 998))0]"
        #expect(throws: Never.self) { try JSONValue.parse(Array(right.utf8), limits: .foreign) }
    }

    /// The place of the error says how far it was read, which a machine's speed does not change.
    @Test func `of strangers are not read beyond the limit`() {
        let text = "[" + String(repeating: "0,", count: 30_000) + "0]"
        #expect(throws: JSONError(.syntax, at: "byte 1999", "goes beyond the 1000 values that are read")) {
            try JSONValue.parse(Array(text.utf8), limits: .foreign)
        }
    }

    @Test(arguments: [2, 16, 17, 18, 40, 2_000]) func `refuse a name that is there already, however many there are`(
        count: Int
    ) {
        let members = (0..<count).map { #""name\#($0)":\#($0)"# }
        #expect(throws: Never.self) { try JSONValue.parse("{\(members.joined(separator: ","))}") }
        for repeated in [0, count / 2, count - 1] {
            let body = members + [#""name\#(repeated)":0"#]
            #expect(throws: JSONError.self) { try JSONValue.parse("{\(body.joined(separator: ","))}") }
        }
    }

    @Test func `join a pair of surrogates`() throws {
        #expect(try JSONValue.parse(#""\ud83d\ude00""#) == .string("😀"))
    }

    @Test func `name the member that is wrong`() throws {
        let object = try JSONObject.parse(#"{"id":"x","n":1.5,"gone":null}"#.utf8)
        #expect(throws: JSONError(.type, at: "id", "must be a UUID")) { try object.uuid("id") }
        #expect(throws: JSONError(.type, at: "n", "must be an integer")) { try object.int("n") }
        #expect(throws: JSONError(.missing, at: "gone", "is missing")) { try object.string("gone") }
        #expect(try object.optionalString("gone") == nil)
    }

    @Test func `read what they wrote, for every scalar`() throws {
        let value: JSONValue = ["t": true, "i": -5, "d": 0.25, "s": "a\"\\\u{7f}\u{1}€", "n": nil, "l": [[], [:]]]
        #expect(try JSONValue.parse(value.bytes) == value)
        #expect(try JSONValue.parse(value.prettyText) == value)
    }
}
