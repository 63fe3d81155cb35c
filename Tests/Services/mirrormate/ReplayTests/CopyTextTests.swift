import JSON
import Testing

@testable import Replay

@Suite struct `Rows for COPY` {
    @Test func `have a tab between columns, and escape what would end one`() {
        var text = CopyText()
        text.add(
            "a\tb\\", ["one": "\nä\r", "two": .null, "three": true, "four": -7],
            ["four", "three", "two", "one", "five"])
        text.add("c", ["one": ["x\\\"": [1, .null, "\t"]]], ["one"])
        text.add("", ["one": ""], ["one"])
        let lines = [
            #"a\tb\\"# + "\t-7\tt\t\\N\t" + #"\nä\r"# + "\t\\N",
            #"c"# + "\t" + #"{"x\\\\\\"":[1,null,"\\t"]}"#,
            "\t",
        ]
        #expect(String(decoding: text.bytes, as: UTF8.self) == lines.map { $0 + "\n" }.joined())
    }
}
