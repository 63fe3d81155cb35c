package import Contracts
package import JSON

/// What messages of other services mean here.
package enum IdentityReactions {
    /// The command that a message becomes: only the answers to an erasure concern this service.
    ///
    /// - Throws: which member of a known message is missing or of another form; the caller parks the message.
    package static func reaction(to message: Incoming) throws(JSONError) -> Reaction<UserCommand> {
        // Each service says it for itself: one that speaks for another is not believed.
        guard let service = ServiceName(rawValue: message.type.service), message.type == SubjectErased.type(of: service)
        else { return .ignore }
        let content = try SubjectErased(message.data)
        guard content.service == service.rawValue else { return .ignore }
        return .apply(
            User.stream(content.subjectId),
            .confirmErasure(content.subjectId, service: content.service, removed: content.removed))
    }
}
