/// Why a sentence that somebody else has worded does not stand. The raw value is for metrics and tests.
package enum SentenceFault: String, Error, Sendable, CaseIterable {
    /// It is no entry as it was asked for, or not for a place of this report.
    case form
    /// The place has one already, or another place has the same.
    case repeated
    /// It rests on nothing: no measure, relation and value, or a measure that its place does not rest on.
    case baseless
    /// What it says that it rests on is not true of the measure, or has a number that is not the measure's.
    case untrue
    /// A number in its words is another than the measure's.
    case number
    case tooLong = "too-long"
    /// It is not English.
    case language
    /// It has something that names somebody or something: an address, an id, a name, a quote.
    case identifier
    /// It speaks of something else than what its measure is about, or of what nobody measured.
    case topic
    /// It praises what was measured bad, blames what was measured good, or denies something, which may come to the same.
    case contradiction
    /// It is no advice for a speaker: it speaks of itself, tells somebody to do something else, or hurts.
    case unfit
    /// The moderation of who has worded it objects to it.
    case flagged
}
