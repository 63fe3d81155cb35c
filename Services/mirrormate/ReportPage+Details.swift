import JSON

extension ReportPage {
    /// How many pauses, and how long.
    var pauses: String? {
        guard let count = number("pauseCount") else { return nil }
        let mean = number("pauseMeanSeconds").map { ", \(Self.seconds($0)) on average" } ?? ""
        let longest = number("pauseLongestSeconds").map { ", the longest \(Self.seconds($0))" } ?? ""
        return count == 0 ? "none" : "\(Int(count))\(mean)\(longest)"
    }

    /// Moments to look at again.
    var moments: [String] {
        let rows = report["keyMoments"]?.arrayValue?.compactMap { moment -> String? in
            guard let text = moment["description"]?.stringValue, let time = moment["timestamp"]?.doubleValue else {
                return nil
            }
            let isStrength = moment["type"]?.stringValue == "strength"
            let mark = isStrength ? style.green("+") : style.yellow("→")
            let clock = Chart.clock(Int64(time))
            return "  \(clock) \(mark) \(Chart.wrap(text, width: width, indent: clock.count + 5))"
        }
        guard let rows, !rows.isEmpty else { return [] }
        return [style.bold("Moments to look at again")] + rows
    }

    /// What was said.
    var words: [String] {
        guard let text = report["transcript"]?["text"]?.stringValue, !text.isEmpty else { return [] }
        let doubt = report["transcript"]?["lowConfidence"]?.boolValue == true ? " (recognised with low confidence)" : ""
        return [style.bold("What was heard\(doubt)"), style.dim("  " + Chart.wrap(text, width: width, indent: 2))]
    }

    /// What could not be judged, grouped by reason.
    var unjudged: [String] {
        var groups: [(reason: String, names: [String])] = []
        for (name, measure) in report["measures"]?.objectValue?.members ?? [] {
            guard measure["valid"]?.boolValue == false else { continue }
            let reason = measure["reason"]?.stringValue ?? "no reason is given"
            if let place = groups.firstIndex(where: { $0.reason == reason }) {
                groups[place].names.append(ScoreParts.spoken(name))
            } else {
                groups.append((reason, [ScoreParts.spoken(name)]))
            }
        }
        let warnings = report["warnings"]?.arrayValue?.compactMap { $0.stringValue ?? $0["message"]?.stringValue } ?? []
        guard !groups.isEmpty || !warnings.isEmpty else { return [] }
        return [style.bold("What could not be judged")]
            + groups.map {
                "  " + Chart.wrap("\($0.names.joined(separator: ", ")): \($0.reason)", width: width, indent: 4)
            }
            + warnings.map { "  \(style.yellow("!")) \(Chart.wrap($0, width: width, indent: 4))" }
    }

    /// Which engines measured it.
    var origin: [String] {
        let engines = report["engines"]?.objectValue?.members.compactMap { member -> String? in
            let name = member.value.stringValue ?? member.value["name"]?.stringValue
            return name.map { "\(member.key) \($0)" }
        }
        guard let engines, !engines.isEmpty else { return [] }
        return [
            style.dim(
                Chart.wrap("Measured on this machine by: \(engines.joined(separator: ", "))", width: width, indent: 2))
        ]
    }

    /// Why a measure has no value.
    func reason(_ name: String) -> String? { report["measures"]?[name]?["reason"]?.stringValue }

    private func number(_ name: String) -> Double? {
        guard report["measures"]?[name]?["valid"]?.boolValue != false else { return nil }
        return report["measures"]?[name]?["value"]?.doubleValue
    }

    private static func seconds(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        return "\(tenths / 10).\(tenths % 10) s"
    }
}
