package import EventSourcing
import JSON

/// The event as it comes back after it was written as bytes and read again.
///
/// - Throws: the reason why it does not come back.
package func storedAndRead<Event: PrivateEvent>(_ event: Event) throws -> Event {
    try Event.decode(event.type, stored: JSONValue.object(event.data).bytes)
}
