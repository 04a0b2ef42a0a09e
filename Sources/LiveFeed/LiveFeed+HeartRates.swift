package import GatewayCore
package import GatewayHost
import Workouts

extension LiveFeed {
    /// The present heart rates that a client may read, in the order of the people; who has no fresh
    /// reading has none.
    package func heartRates(
        _ service: GatewayService, for client: ServiceClient
    ) async -> [(person: String?, device: String?, rate: Double)] {
        await begin(service)
        catchUp()
        // It is no watcher: the number is for nobody.
        let audience = LiveAudience(number: 0, decisions: service.readable(by: client))
        let now = now()
        return board.people.compactMap { person in
            let heart = audience.visible(of: person.state(at: now)).heart
            guard case .rate(let rate, _, let device, _)? = heart?.state else { return nil }
            return (person.name, device, rate)
        }
    }
}
