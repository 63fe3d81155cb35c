import Glibc
package import Testing

extension Trait where Self == ConditionTrait {
    /// A test that works or waits so long that it is no part of the unit run: `Tests/run stress` runs these, as does a test
    /// that is asked for by name with `make t`.
    package static var stress: Self {
        .enabled(if: getenv("TESTS_STRESS") != nil, "SKIPPED: Tests/run stress runs it.")
    }
}
