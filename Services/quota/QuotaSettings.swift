import Configuration
import Contracts
import ServiceKit

/// The variables of `quota` besides those of every service.
///
/// | Variable | Type | Default | Meaning |
/// |---|---|---|---|
/// | `PLANS_FILE` | file | `Plans/plans.json` | the plans of this deployment, see `docs/plans.md` |
struct QuotaSettings: Sendable {
    /// The plans on offer.
    let plans: [PlanDefinition]
    let source: PlanSource

    /// Reads the variables; problems stay in `environment` until it is finished.
    init(_ environment: Environment) {
        let file = environment.settingsFile("PLANS_FILE", PlanFile.read)
        plans = file ?? Plans.builtInDefinitions
        source = file == nil ? .builtIn : .file
    }
}
