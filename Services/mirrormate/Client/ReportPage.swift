import JSON

/// A coaching report as a person would like to read it in a terminal.
///
/// It reads the document tolerantly: a member that is missing or null takes no space, and what could not be judged is
/// listed with its reason.
struct ReportPage {
    let report: JSONObject
    let style: Style
    let width: Int

    /// The whole page.
    var text: String {
        let sections = [
            head, feedback, list("What went well", "strengths", "+"), work, moments, parts, voice, face, words,
            recording, unjudged, origin,
        ]
        return sections.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") }.joined(separator: "\n\n")
    }

    // Narrow terminals get shorter bars, so that a line with a weight still fits.
    private var barWidth: Int { width >= 72 ? 20 : 10 }

    private var head: [String] {
        var lines: [String] = []
        let duration = report["durationSec"]?.intValue.map { " of a \(Chart.clock($0)) minute video" } ?? ""
        lines.append(style.bold("Coaching report\(duration)"))
        if let score = report["confidenceScore"]?.intValue {
            let colour = score >= 70 ? style.green : score >= 45 ? style.yellow : style.red
            lines.append("")
            lines.append(
                "  Confidence  \(colour(Chart.bar(Double(score) / 100, width: barWidth + 10)))  \(style.bold("\(score)")) of 100"
            )
            if let rests = restsOn {
                lines.append("              \(style.dim(rests))")
                lines.append("  " + style.dim(Chart.wrap(basis, width: width, indent: 2)))
            }
        } else {
            lines.append("")
            lines.append("  Confidence  not rated\(reason("confidenceScore").map { ": \($0)" } ?? "")")
        }
        let tags = report["impressionTags"]?.arrayValue?.compactMap(\.stringValue) ?? []
        if !tags.isEmpty { lines.append("  Impression  \(tags.joined(separator: ", "))") }
        return lines
    }

    /// What a score says nothing about.
    private var basis: String {
        let start = "It rests on your voice, your face and the recording"
        let seen = [("postureScore", "posture"), ("gestureNaturalness", "gestures")].filter {
            report["bodyLanguageAnalysis"]?[$0.0]?.doubleValue != nil
        }.map(\.1)
        let engines = report["engines"]
        let places = [("video", "in the whole recording"), ("vision", "in some pictures")]
        let looked = places.lazy.compactMap { task, place in
            engines?[task]?.stringValue.map { (engine: $0, place: place) }
        }
        guard let (engine, place) = looked.first, !seen.isEmpty else {
            return "\(start). Posture and gestures are not judged."
        }
        return
            "\(start), and on your \(seen.joined(separator: " and ")) as \(engine) has seen \(seen == ["posture"] ? "it" : "them") \(place)."
    }

    /// How exact the score is and how much could be judged; older reports do not say.
    private var restsOn: String? {
        guard let coverage = report["scoreCoverage"]?.intValue, let low = report["scoreRange"]?["low"]?.intValue,
            let high = report["scoreRange"]?["high"]?.intValue
        else { return nil }
        return "\(low) to \(high), \(coverage) of 100 points judged"
    }

    private var feedback: [String] {
        guard let text = report["feedback"]?.stringValue, !text.isEmpty else { return [] }
        return ["  " + Chart.wrap(text, width: width, indent: 2)]
    }

    /// The score's parts with their weights.
    private var parts: [String] {
        let rows = ScoreParts.rows(report["scoreParts"])
        guard !rows.isEmpty else { return [] }
        return [style.bold("How the score is made")]
            + rows.map { row in
                let weight = row.weight.map { " \(style.dim("weight \(Int($0.rounded())) %"))" } ?? ""
                if let deduction = row.deduction {
                    return entry(row.name, deduction == 0 ? style.dim("takes nothing away") : "takes away \(deduction)")
                }
                guard let share = row.share else {
                    // What the speaker made impossible to judge counts against the score, with its weight.
                    let counts = (row.weight ?? 0) > 0 ? ", counts as 0\(weight)" : ""
                    return entry(row.name, style.dim("not rated\(row.reason.map { ", \($0)" } ?? "")") + counts)
                }
                return entry(
                    row.name,
                    "\(style.cyan(Chart.bar(share, width: barWidth))) \(Int((share * 100).rounded())) of 100\(weight)")
            }
    }

    private var voice: [String] {
        var rows: [String] = []
        if let pace = report["vocalAnalysis"]?["paceWordsPerMin"]?.intValue {
            rows.append(entry("Pace", "\(pace) words a minute"))
        }
        if let pauses = pauses { rows.append(entry("Pauses", pauses)) }
        if let fillers = report["fillerWords"]?.objectValue {
            let total = fillers.members.reduce(0) { $0 + ($1.value.intValue ?? 0) }
            let some = fillers.members.filter { ($0.value.intValue ?? 0) > 0 }
                .map { "\($0.key) \($0.value.intValue ?? 0)" }.joined(separator: ", ")
            let atLeast = report["fillersAtLeast"]?.boolValue == true ? "at least " : ""
            rows.append(entry("Filler words", total == 0 ? "none heard" : "\(atLeast)\(total): \(some)"))
        }
        for (key, name) in [
            ("volumeConsistency", "Even volume"), ("tonalVariety", "Tonal variety"), ("clarity", "Clarity"),
            ("pauseEffectiveness", "Use of pauses"),
        ] {
            if let share = report["vocalAnalysis"]?[key]?.doubleValue { rows.append(shareRow(name, share)) }
        }
        let energy = report["toneTimeline"]?.arrayValue?.map { $0["energy"]?.doubleValue } ?? []
        if energy.contains(where: { $0 != nil }) {
            rows.append(entry("Energy over time", style.cyan(Chart.line(Array(energy.prefix(width - 24))))))
        }
        return rows.isEmpty ? [] : [style.bold("Voice")] + rows
    }

    private var face: [String] {
        var rows: [String] = []
        let contact = report["gaze"]?["eyeContactPct"] ?? report["bodyLanguageAnalysis"]?["eyeContactPct"]
        if let share = contact?.doubleValue { rows.append(shareRow("Facing the camera", share)) }
        for (key, name) in [
            ("postureScore", "Posture"), ("gestureNaturalness", "Gestures"),
            ("facialExpressiveness", "Expression"), ("movementPurpose", "Movement"),
        ] {
            if let share = report["bodyLanguageAnalysis"]?[key]?.doubleValue { rows.append(shareRow(name, share)) }
        }
        return rows.isEmpty ? [] : [style.bold("Face and body")] + rows
    }

    private func list(_ title: String, _ key: String, _ mark: String) -> [String] {
        let texts = texts(key)
        return texts.isEmpty ? [] : [style.bold(title)] + texts.map { point($0, mark) }
    }

    private func texts(_ key: String) -> [String] {
        report[key]?.arrayValue?.compactMap { $0.stringValue ?? $0["text"]?.stringValue } ?? []
    }

    private func point(_ text: String, _ mark: String) -> String {
        "  \(style.cyan(mark)) \(Chart.wrap(text, width: width, indent: 4))"
    }

    /// The one thing to begin with, then the others; older reports have lists alone.
    private var work: [String] {
        let areas = texts("areasForImprovement")
        let exercises = texts("practiceExercises")
        guard let first = report["firstStep"]?.objectValue, !areas.isEmpty else {
            let exercises = list("Try this", "practiceExercises", "•")
            return list("What to work on", "areasForImprovement", "→") + (exercises.isEmpty ? [] : [""] + exercises)
        }
        var lines = [style.bold("What to work on first"), point(areas[0], "→")]
        lines += ["exercise", "nextRecording"].compactMap { first[$0]?.stringValue }.map { point($0, "•") }
        if areas.count > 1 { lines += ["", style.bold("After that")] }
        for (area, exercise) in zip(areas, exercises).dropFirst() {
            lines += [point(area, "→"), point(exercise, "•")]
        }
        return lines
    }

    private func shareRow(_ name: String, _ share: Double) -> String {
        entry(name, "\(style.cyan(Chart.bar(share, width: barWidth))) \(Int((share * 100).rounded())) %")
    }

    private func entry(_ name: String, _ value: String) -> String {
        "  \(name)\(String(repeating: " ", count: max(2, 20 - name.count)))\(value)"
    }

    /// How many pauses, and how long.
    private var pauses: String? {
        guard let count = number("pauseCount") else { return nil }
        let mean = number("pauseMeanSeconds").map { ", \(Self.seconds($0)) on average" } ?? ""
        let longest = number("pauseLongestSeconds").map { ", the longest \(Self.seconds($0))" } ?? ""
        return count == 0 ? "none" : "\(Int(count))\(mean)\(longest)"
    }

    /// Moments to look at again.
    private var moments: [String] {
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
    private var words: [String] {
        guard let text = report["transcript"]?["text"]?.stringValue, !text.isEmpty else { return [] }
        let doubt = report["transcript"]?["lowConfidence"]?.boolValue == true ? " (recognised with low confidence)" : ""
        return [style.bold("What was heard\(doubt)"), style.dim("  " + Chart.wrap(text, width: width, indent: 2))]
    }

    /// What could not be judged, grouped by reason.
    private var unjudged: [String] {
        var groups: [(reason: String, names: [String])] = []
        for (name, measure) in report["measures"]?.objectValue?.members ?? [] {
            guard measure["valid"]?.boolValue == false, !Self.lists.contains(name) else { continue }
            let reason = measure["reason"]?.stringValue ?? "no reason is given"
            if let place = groups.firstIndex(where: { $0.reason == reason }) {
                groups[place].names.append(ScoreParts.spoken(name))
            } else {
                groups.append((reason, [ScoreParts.spoken(name)]))
            }
        }
        guard !groups.isEmpty else { return [] }
        return [style.bold("What could not be judged")]
            + groups.map {
                "  " + Chart.wrap("\($0.names.joined(separator: ", ")): \($0.reason)", width: width, indent: 4)
            }
    }

    /// What is empty because there is nothing to say, not because it could not be judged.
    private static let lists: Set<String> = [
        "impressionTags", "strengths", "areasForImprovement", "practiceExercises", "keyMoments",
    ]

    /// What was wrong with the recording, but for what is among the things to work on.
    private var recording: [String] {
        let codes = texts("warnings")
        let words = texts("warningTexts")
        let told = Set(report["wording"]?["variants"]?.objectValue?.keys ?? [])
        let warnings = codes.enumerated().compactMap { place, code -> String? in
            let areas = Self.areas[code] ?? []
            guard !areas.contains(where: { told.contains("area.\($0).what") }) else { return nil }
            // Older reports have codes only.
            return words.indices.contains(place) ? words[place] : code
        }
        guard !warnings.isEmpty else { return [] }
        return [style.bold("About the recording")]
            + warnings.map { "  \(style.yellow("!")) \(Chart.wrap($0, width: width, indent: 4))" }
    }

    /// The things to work on that say the same as a warning.
    private static let areas: [String: [String]] = [
        "clipping": ["overdriven"], "too-dark": ["darkFace", "unlitFace"], "face-small": ["smallFace"],
        "often-out-of-picture": ["outOfPicture", "turnedAway"], "several-faces": ["secondFace"],
        "face-cut": ["cutFace"], "blurred": ["blurredFace"], "backlight": ["backlight"],
        "recording-too-quiet": ["quiet"], "too-noisy": ["drownedVoice"], "no-face": ["unseenFace"],
        "no-audio": ["noSound"], "no-speech": ["noSpeech"],
    ]

    /// Which engines measured it, and who worded it if that was not this server.
    private var origin: [String] {
        let engines = report["engines"]?.objectValue?.members.filter { $0.key != "text" }.compactMap {
            member -> String? in
            let name = member.value.stringValue ?? member.value["name"]?.stringValue
            return name.map { "\(member.key) \($0)" }
        }
        guard let engines, !engines.isEmpty else { return [] }
        var lines = ["Measured on this machine by: \(engines.joined(separator: ", "))"]
        if let writer = report["engines"]?["text"]?.stringValue, writer != "catalogue" {
            lines.append("Worded by \(writer); every sentence was held against the measures.")
        }
        return lines.map { style.dim(Chart.wrap($0, width: width, indent: 2)) }
    }

    /// Why a measure has no value.
    private func reason(_ name: String) -> String? { report["measures"]?[name]?["reason"]?.stringValue }

    private func number(_ name: String) -> Double? {
        guard report["measures"]?[name]?["valid"]?.boolValue != false else { return nil }
        return report["measures"]?[name]?["value"]?.doubleValue
    }

    private static func seconds(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        return "\(tenths / 10).\(tenths % 10) s"
    }
}
