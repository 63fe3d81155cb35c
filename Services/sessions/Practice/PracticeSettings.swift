import Configuration
import Primitives

/// The variables of logged sessions.
///
/// | Variable | Type | Default | Meaning |
/// |---|---|---|---|
/// | `PRACTICE_MAX_AGE` | duration | 366d | how long ago a session may have begun that is logged or corrected |
/// | `PRACTICE_SKEW` | duration | 5m | how far a device's clock may be ahead: a session may end so much later than now |
struct PracticeSettings: Sendable {
    let maxAge: Duration
    let skew: Duration

    /// Reads the variables; problems stay in `environment` until it is finished.
    init(_ environment: Environment) {
        maxAge = environment.duration("PRACTICE_MAX_AGE", default: .seconds(366 * 86_400))
        skew = environment.duration("PRACTICE_SKEW", default: .seconds(300))
    }
}
