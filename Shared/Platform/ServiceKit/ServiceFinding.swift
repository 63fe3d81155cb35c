/// Something that is wrong with a service, as its command `check` and `mirrormate doctor` tell it.
package struct ServiceFinding: Sendable, Equatable {
    /// Its stable name.
    package let code: String
    /// What is wrong: a sentence.
    package let message: String
    /// What to do next: a sentence.
    package let advice: String

    package init(_ code: String, _ message: String, _ advice: String) {
        self.code = code
        self.message = message
        self.advice = advice
    }
}
