import Contracts
import EventSourcing
import EventSourcingTesting
import JSON
import Primitives
import ServiceKit
import Testing

@testable import quota

@Suite("A plan") struct PlanTests {
    private typealias Plan = Specification<PlanRecord>

    private static let free = Plans.builtInDefinitions[0]
    private static let other = Fixture.danceTerms
    private static let definedOnce = Plan([.planDefined(free, number: 1, .builtIn)])

    /// Every state of a plan and every command.
    private static let table: [(state: Plan, command: PlanCommand, outcome: [QuotaEvent])] = [
        (Plan([]), .define(free, .builtIn), [.planDefined(free, number: 1, .builtIn)]),
        (definedOnce, .define(free, .builtIn), []),
        // The same from elsewhere is nothing new.
        (definedOnce, .define(free, .file), []),
        (definedOnce, .define(other, .file), [.planDefined(other, number: 2, .file)]),
        (
            definedOnce.after(.define(other, .file)), .define(free, .builtIn),
            [.planDefined(free, number: 3, .builtIn)]
        ),
    ]

    @Test("is recorded when its definition is another one, and numbered", arguments: table.indices)
    func defined(row: Int) {
        let (state, command, outcome) = Self.table[row]
        #expect(state.when(command) == .events(outcome))
    }

    @Test("has its own stream, the same everywhere and for good")
    func stream() {
        #expect(PlanRecord.stream(.free).description == "plan-e61c60b9-ea81-5cde-b915-661255f74156")
        #expect(PlanRecord.stream(.free) != PlanRecord.stream(.premium))
    }

    @Test("that the service brings with it is what held before plans were data")
    func builtIn() {
        #expect(Plans.builtInDefinitions.map(\.code) == [.free, .premium])
        #expect(Plans.builtIn.kinds == [.mirrormate])
        for code in [PlanCode.free, .premium, PlanCode(rawValue: "gold")] {
            for kind in [SessionKind.mirrormate, Fixture.dance] {
                let terms = Plans.builtIn.terms(of: code, for: kind)
                #expect(terms.terms == Plans.original.terms(of: code, for: kind).terms)
                #expect(terms.plan == code)
            }
        }
    }

    @Test("is described in words")
    func words() {
        let terms = KindTerms(
            windows: [.init(.localDay, nil), .init(.hour, 2)], atOnce: 3, burst: .init(units: 4, seconds: 60),
            lateCancellations: 0)
        #expect(terms.words == "2 an hour, unlimited a local day, at most 3 at once, at most 4 within 60 s")
    }
}

@Suite("A file of plans") struct PlanFileTests {
    @Test("is read with all that it can say")
    func whole() throws {
        let text = """
            {"version": 1, "plans": {
                "free": {"dance": {"windows": {"hour": 2, "local-day": 3}, "lateCancellations": 1}},
                "gold": {"dance": {"windows": {"local-day": null}, "atOnce": 2,
                    "burst": {"units": 5, "seconds": 60}, "lateCancellations": 0}}}}
            """
        let plans = try PlanFile.read(Array(text.utf8))
        let gold = PlanDefinition(
            PlanCode(rawValue: "gold"),
            [
                Fixture.dance: KindTerms(
                    windows: [.init(.localDay, nil)], atOnce: 2, burst: .init(units: 5, seconds: 60),
                    lateCancellations: 0)
            ])
        #expect(plans == [Fixture.danceTerms, gold])
        for plan in plans { #expect(try PlanFile.kinds(plan.json, at: "kinds") == plan.kinds) }
    }

    private static let good = #"{"windows":{"local-day":1},"lateCancellations":0}"#
    private static let largest = "1000000"

    private static func file(_ dance: String) -> String { #"{"version":1,"plans":{"free":{"dance":\#(dance)}}}"# }

    private static let mistakes: [(text: String, mistakes: [String])] = [
        ("no JSON", ["is not JSON"]),
        ("{}", ["version must be 1", "plans must be an object"]),
        (#"{"version":2,"plans":{"free":{}}}"#, ["version must be 1, the only form that this build knows."]),
        (#"{"version":1,"plans":{"gold":{}}}"#, ["plans.free is missing; define it, everybody begins with it."]),
        (#"{"version":1,"plans":{"free":{}},"note":"x"}"#, ["note is not known; the members here are version, plans."]),
        (
            #"{"version":1,"plans":{"free":3}}"#,
            ["plans.free must be an object with a member for each kind of session."]
        ),
        (
            #"{"version":1,"plans":{"free":{},"Gold plan":{}}}"#,
            ["plans.Gold plan must be named with up to 40 lower-case letters, digits and hyphens."]
        ),
        (file("[]"), ["plans.free.dance must be an object with windows and lateCancellations."]),
        (
            file("{}"),
            [
                "plans.free.dance.windows must be an object with at least one of hour, local-day.",
                "plans.free.dance.lateCancellations must be a whole number from 0 to \(largest).",
            ]
        ),
        (
            file(#"{"windows":{"week":1},"lateCancellations":0}"#),
            ["plans.free.dance.windows.week is not known; the members here are hour, local-day."]
        ),
        (
            file(#"{"windows":{"hour":1.5,"local-day":-1},"lateCancellations":0}"#),
            [
                "plans.free.dance.windows.hour must be a whole number from 0 to \(largest), or null for unlimited.",
                "plans.free.dance.windows.local-day must be a whole number from 0 to \(largest), or null for unlimited.",
            ]
        ),
        (
            file(#"{"windows":{"hour":1},"atOnce":0,"burst":{"units":1,"seconds":3601},"lateCancellations":null}"#),
            [
                "plans.free.dance.atOnce must be a whole number from 1 to \(largest).",
                "plans.free.dance.burst.seconds must be a whole number from 1 to 3600.",
                "plans.free.dance.lateCancellations must be a whole number from 0 to \(largest).",
            ]
        ),
        (
            file(#"{"windows":{"hour":1},"burst":7,"lateCancelations":0}"#),
            [
                "plans.free.dance.lateCancelations is not known; the members here are windows, atOnce, burst, lateCancellations.",
                "plans.free.dance.burst must be an object with units and seconds; leave it out for no cap.",
                "plans.free.dance.lateCancellations must be a whole number from 0 to \(largest).",
            ]
        ),
    ]

    @Test("is refused with every mistake, its place and what to write instead", arguments: mistakes.indices)
    func refused(row: Int) throws {
        let (text, mistakes) = Self.mistakes[row]
        let error = #expect(throws: SettingsFileError.self) { try PlanFile.read(Array(text.utf8)) }
        let found = error?.mistakes ?? []
        #expect(found.count == mistakes.count, "\(found)")
        for (sentence, beginning) in zip(found, mistakes) {
            #expect(sentence.hasPrefix(beginning), "\(sentence)")
            #expect(sentence.hasSuffix("."))
        }
    }
}
