import Coaching
import JSON
import Primitives

// Makes reports without a service: reads documents of `mirrormate-media` from standard input, one to a line, and writes the
// document of each, a report and the figures that it is based on. `make truth` judges the reports by it. Each line is a session
// of its own, so that its sentences are chosen as they would be for different people.

var session: UInt64 = 0
while let line = readLine() {
    session += 1
    do {
        let said = try JSONObject.parse(line.utf8)
        let document = try ReportDocument(
            sessionId: UUID(high: 0, low: session), createdAt: .epoch,
            measured: said["result"]?.objectValue ?? said)
        print(String(decoding: document.bytes, as: UTF8.self))
    } catch {
        print(JSONValue.object(["problem": .string("\(error)")]).text)
    }
}
