import ControlSocket
package import GatewayCore
package import GatewayHost
import HealthTransfer
import LiveFeed
import Metrics
package import Platform
import StoreRequests

/// What a gateway of this command answers: all requests, on the control socket and for its services.
package struct GatewayInterface {
    private let feed: LiveFeed
    private let router: RequestRouter
    /// The imports of files that clients send; nil for a simulation.
    private let uploads: Uploads?
    private let clock: any GatewayClock
    private let log: Logger

    package init(
        _ call: Subcommand.Call, clock: any GatewayClock, log: Logger, isSimulation: Bool
    ) {
        let program = ImportProgram(call.arguments, call.environment, clock: clock)
        uploads = isSimulation ? nil : Uploads(run: program.run)
        feed = LiveFeed(clock: clock, log: log, isSimulation: isSimulation)
        router = RequestRouter()
            .adding([.follow(feed), .metrics(heartRates: feed.heartRates)])
            .adding(StoreRequests.handlers(uploads: uploads))
        self.clock = clock
        self.log = log
    }

    /// Adds it to the options of a run.
    package func add(to options: inout GatewayHost.Options) {
        options.router = router
        options.transports += [
            { [feed] _ in feed },
            { [clock, log] folder in ForgottenUploads(folder: folder, clock: clock, log: log) },
            { [uploads, router, clock, log] folder in
                uploads?.open(in: folder)
                return ControlSocketTransport(
                    folder: folder, router: router, clock: clock, log: log)
            },
        ]
    }
}

/// Forgets at the start where imports of files that clients had sent were interrupted.
private struct ForgottenUploads: ServiceTransport {
    let folder: DataDirectory
    let clock: any GatewayClock
    let log: Logger

    func run(_ service: GatewayService) async {
        do {
            try await ImportPlaces(folder: folder, clock: clock).removeUploads()
        } catch {
            log.warning("cannot forget interrupted imports", ["reason": error.text])
        }
    }
}
