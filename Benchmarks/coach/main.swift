import Coaching
import Contracts
import JSON
import Primitives

// Makes reports without a service: reads documents of `mirrormate-media` from standard input, one to a line, and writes the
// report of each. `make truth` judges the reports by it. Each line is a session
// of its own, so that its sentences are chosen as they would be for different people.

var session: UInt64 = 0
while let line = readLine() {
    session += 1
    do {
        let said = try JSONObject.parse(line.utf8)
        let measured = try MeasurementDocument(said["result"]?.objectValue ?? said, brief: RecordingBrief())
        let report = ReportBuilder.report(measured, session: UUID(high: 0, low: session))
        print(JSONValue.object(["report": .object(report)]).text)
    } catch {
        print(JSONValue.object(["problem": .string("\(error)")]).text)
    }
}
