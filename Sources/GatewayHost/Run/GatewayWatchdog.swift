import GatewayCore
import Platform

/// The watchdog of a run: tells the service manager that everything makes progress, or notes what does not.
///
/// Without progress it says nothing, and the service manager ends the process and starts it again.
final class GatewayWatchdog: Sendable {
    /// The maximum number of characters of a wrong variable in the log.
    private static let shownLength = 40

    private let probes: [ProgressProbe]
    private let watchdog: ProgressWatchdog

    /// Starts the watchdog; nil when the service manager expects none.
    init?(
        _ environment: ServiceEnvironment, of gateway: Gateway, _ maker: PartsMaker,
        in folder: DataDirectory
    ) {
        let (marks, log) = (maker.marks, maker.log.named("watchdog"))
        if let value = environment.invalidWatchdog {
            log.warning(
                "WATCHDOG_USEC is no number of microseconds above 0, so no watchdog messages are "
                    + "sent; set WatchdogSec=60s in the unit",
                ["value": String(value.prefix(Self.shownLength))])
        }
        guard let interval = environment.watchdogMicroseconds else { return nil }
        probes = gateway.addProbes(to: maker.probes)
        if interval < ProgressWatch.shortestInterval {
            log.warning(
                "the interval is too short: the service manager may end a gateway that works; set "
                    + "WatchdogSec=60s in the unit",
                [
                    "microseconds": "\(interval)",
                    "shortest": "\(ProgressWatch.shortestInterval / 1_000_000)s",
                ])
        }
        watchdog = ProgressWatchdog(maker.probes, intervalMicroseconds: interval) { event in
            switch event {
            case .progress: environment.send(.watchdog)
            case .hung(let loops, let seconds):
                let note = HangNote(loops, seconds: seconds, marks)
                note.log(to: log)
                environment.send(.status("no answer from: \(note.names)"))
                // Last, because the disk may be what does not answer.
                note.write(in: folder, log)
            case .recovered:
                log.info("all loops answer again")
                HangNote.remove(in: folder)
            }
        }
    }
}
