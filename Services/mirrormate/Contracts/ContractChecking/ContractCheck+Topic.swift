import Contracts

/// What all messages of a topic have in common.
extension ContractCheck {
    /// Holds topic, partitioning and headers of the contract against what the provider's code says of itself.
    func topic(_ provider: ServiceName) -> [Finding] {
        let topic = Topic(provider)
        var findings: [Finding] = []
        if contract.topic != topic.name {
            findings.append(
                at(
                    "topic",
                    "\(contract.provider) publishes on \(topic.name), and \(contract.consumer) reads "
                        + "\(contract.topic).", Advice.keep))
        }
        if contract.partitions != Int64(topic.partitions) || contract.partitionHash != "fnv1a64" {
            findings.append(
                at(
                    "partitioning",
                    "The topic has \(topic.partitions) partitions chosen by fnv1a64, and the "
                        + "contract says \(contract.partitions) by \(contract.partitionHash).",
                    "Another number or hash tears the order of keys apart: it needs a new topic."))
        }
        let names = DeclaredHeader.ofMessages.map(\.name)
        for header in contract.headers where !names.contains(header.name) {
            findings.append(
                at(
                    "header \(header.name)",
                    "Today's code knows no header of this name any more. \(contract.consumer) reads it.", Advice.keep))
        }
        return findings
    }
}
