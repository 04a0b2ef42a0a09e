import ControlSocket
package import GatewayCore
package import GatewayHost
import LiveFeed
import Metrics
package import Platform
import StoreRequests

/// What a gateway of this command answers: all requests, on the control socket and for its services.
package struct GatewayInterface {
    private let feed: LiveFeed
    private let router: RequestRouter
    private let clock: any GatewayClock
    private let log: Logger

    package init(clock: any GatewayClock, log: Logger, isSimulation: Bool) {
        feed = LiveFeed(clock: clock, log: log, isSimulation: isSimulation)
        router = RequestRouter()
            .adding([.follow(feed), .metrics(heartRates: feed.heartRates)])
            .adding(StoreRequests.handlers())
        self.clock = clock
        self.log = log
    }

    /// Adds it to the options of a run.
    package func add(to options: inout GatewayHost.Options) {
        options.router = router
        options.transports += [
            { [feed] _ in feed },
            { [router, clock, log] folder in
                ControlSocketTransport(folder: folder, router: router, clock: clock, log: log)
            },
        ]
    }
}
