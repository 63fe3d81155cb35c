import Configuration
import Contracts

/// The variables of `quota` besides those of every service.
///
/// | Variable | Meaning |
/// |---|---|
/// | `PLANS_FILE` | the plans of this deployment, see `docs/plans.md`; default: those that the service brings with it |
struct QuotaSettings: Sendable {
    /// The plans on offer.
    let plans: [PlanDefinition]
    let source: PlanSource

    /// Reads the variables; problems stay in `environment` until it is finished.
    init(_ environment: Environment) {
        guard let bytes = environment.file("PLANS_FILE") else {
            plans = Plans.builtInDefinitions
            source = .builtIn
            return
        }
        source = .file
        do throws(PlanFileError) { plans = try PlanFile.read(bytes) } catch {
            for mistake in error.mistakes { environment.refuse("PLANS_FILE:", mistake) }
            plans = Plans.builtInDefinitions
        }
    }
}
