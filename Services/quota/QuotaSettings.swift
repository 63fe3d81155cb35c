import Configuration
import Contracts
import ObjectStorage
import ServiceKit

/// The variables of `quota` besides those of every service and of ``ObjectStoreSettings``, where its parts of exports lie.
///
/// | Variable | Type | Default | Meaning |
/// |---|---|---|---|
/// | `PLANS_FILE` | file | `Plans/plans.json` | the plans of this deployment, see `docs/plans.md` |
struct QuotaSettings: Sendable {
    let objects: ObjectStoreSettings
    /// The plans on offer.
    let plans: [PlanDefinition]
    let source: PlanSource
    let purchases: PurchaseSettings

    /// Reads the variables; problems stay in `environment` until it is finished.
    init(_ environment: Environment) {
        objects = ObjectStoreSettings(environment)
        let file = environment.settingsFile("PLANS_FILE", PlanFile.read)
        plans = file ?? Plans.builtInDefinitions
        source = file == nil ? .builtIn : .file
        purchases = PurchaseSettings(environment, plans: plans)
    }
}
