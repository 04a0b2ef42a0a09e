import GatewayCore
import Synchronization

/// The lists of records that are sent at this moment.
///
/// The store holds the records of each in memory until the client has read them.
final class ListPlaces: Sendable {
    /// The maximum number of lists of one client; a browser reads at most six at once.
    static let limit = 8

    private let counts = Mutex<[ClientID?: Int]>([:])

    /// Takes a place, which the client gives back with ``leave(_:)``.
    ///
    /// - Throws: ``Problem`` when the client has as many lists as are allowed.
    func enter(_ client: ServiceClient) throws(Problem) {
        let hasPlace = counts.withLock { counts in
            let count = counts[client.id, default: 0]
            guard count < Self.limit else { return false }
            counts[client.id] = count + 1
            return true
        }
        guard hasPlace else {
            throw Problem(
                status: 503,
                detail: "\(Self.limit) lists of this client are being sent; read them first.")
        }
    }

    /// Gives a place back.
    func leave(_ client: ServiceClient) {
        counts.withLock { counts in
            let count = counts[client.id, default: 1] - 1
            counts[client.id] = count > 0 ? count : nil
        }
    }
}
