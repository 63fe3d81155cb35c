/// Having texts judged.
extension Provider {
    /// What having texts judged costs at most.
    package func costOfModeration() -> Int64 { declaration.price.microsPerModeration * mostRequests }

    /// Has texts judged, each for itself, in one call.
    ///
    /// - Parameter alone: as in ``transcribe(_:with:alone:)``.
    /// - Returns: a verdict for each, in their order.
    /// - Throws: as ``transcribe(_:with:alone:)``.
    package func moderate(
        _ texts: [String], with model: ProviderDeclaration.Moderation, alone: Bool = false
    ) async throws -> Outcome<[ModerationVerdict]> {
        guard !texts.isEmpty, declaration.speech == .openai else { return Self.unsent(.invalidRequest) }
        let most = declaration.price.microsPerModeration
        let request = OpenAIProtocol.moderation(of: texts, by: model, declaration)
        return try await call(model.model, request, model.deadline, most: most, alone) { (body) throws(AnswerFault) in
            (try ModerationVerdict.read(body, count: texts.count), most)
        }
    }
}
