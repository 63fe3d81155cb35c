package import Contracts
import ServiceKit

/// One definition of a plan, of those that followed each other.
package struct PlanVersion: Sendable, Hashable {
    package let definition: PlanDefinition
    /// Counts the definitions of this plan from 1.
    package let number: Int64

    package init(_ definition: PlanDefinition, number: Int64) {
        self.definition = definition
        self.number = number
    }
}

/// The definitions of all plans that are in force at one moment.
package struct Plans: Sendable, Hashable {
    /// The plan that everybody begins with, which every set of plans has.
    package static let first = PlanCode.free

    private let byCode: [PlanCode: PlanVersion]

    package init(_ plans: [PlanVersion]) {
        byCode = Dictionary(plans.map { ($0.definition.code, $0) }) { $1 }
    }

    /// The definitions of a file, each as the first of its plan.
    package init(_ definitions: [PlanDefinition]) {
        self.init(definitions.map { PlanVersion($0, number: 1) })
    }

    /// As much of the plans as one decision stood on.
    package init(_ basis: TermsInForce, for kind: SessionKind) {
        self.init([PlanVersion(PlanDefinition(basis.plan, [kind: basis.terms]), number: basis.number)])
    }

    /// In a stable order.
    package var all: [PlanVersion] {
        byCode.values.sorted { $0.definition.code.rawValue < $1.definition.code.rawValue }
    }

    /// What an owner with a plan has of a kind. A plan that is not defined allows what ``first`` does.
    package func terms(of plan: PlanCode, for kind: SessionKind) -> TermsInForce {
        guard let version = byCode[plan] ?? byCode[Self.first] else {
            return TermsInForce(plan: plan, number: 0, terms: .none)
        }
        return TermsInForce(plan: plan, number: version.number, terms: version.definition.terms(for: kind))
    }

    /// Every kind that some plan knows, in a stable order.
    package var kinds: [SessionKind] {
        Set(byCode.values.flatMap(\.definition.kinds.keys)).sorted { $0.rawValue < $1.rawValue }
    }

    // MARK: Given ones

    /// What holds when a deployment names no file of its own: `Plans/plans.json`.
    package static let builtIn = Plans(builtInDefinitions)

    /// The definitions of `Plans/plans.json`.
    static let builtInDefinitions = SettingsFileReader.builtIn(
        "Plans/plans.json", PackageResources.plans_json, PlanFile.read)

    /// What held before definitions were recorded. Histories of that time stand on it, so it never changes.
    static let original = Plans([
        PlanVersion(
            PlanDefinition(
                .free, [.mirrormate: KindTerms(windows: [.init(.localDay, 1)], lateCancellations: 3)]), number: 0),
        PlanVersion(
            PlanDefinition(
                .premium, [.mirrormate: KindTerms(windows: [.init(.localDay, nil)], lateCancellations: 3)]), number: 0),
    ])
}
