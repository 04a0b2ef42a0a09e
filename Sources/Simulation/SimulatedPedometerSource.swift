public import GatewayCore
import HealthModel
import Platform
import Serial

/// A ``SimulatedPedometer`` behind a pseudo-terminal, read by whatever reads serial ports.
///
/// The lines go through the kernel's terminal driver as those of a real port do. The device keeps one
/// local identifier, although the path of a pseudo-terminal changes with every run.
public struct SimulatedPedometerSource: Source {
    /// The local identifier, which is no path of a port.
    public static let device = "simulated-pedometer"
    /// The most bytes written at once; a terminal takes about 4 KiB before somebody has read them.
    static let writeLimit = 2_048
    /// Above a hundred lines a second they are written in groups, so that timers do not cost more
    /// than lines.
    static let smallestPauseNanoseconds: Int64 = 10_000_000

    private let pedometer: SimulatedPedometer
    private let clock: any GatewayClock
    private let makeReader: @Sendable (String) throws -> any Source

    /// Makes a source.
    ///
    /// - Parameters:
    ///   - pedometer: What prints, from its beginning in every run.
    ///   - clock: Says when to print.
    ///   - makeReader: Makes the source that reads the port with the path it is given.
    public init(
        _ pedometer: SimulatedPedometer, clock: any GatewayClock,
        makeReader: @escaping @Sendable (_ portPath: String) throws -> any Source
    ) {
        self.pedometer = pedometer
        self.clock = clock
        self.makeReader = makeReader
    }

    /// Prints and reads until the task is cancelled or one of the two fails, which ends the other.
    ///
    /// - Throws: What the reader throws; ``LinkError`` when there is no pseudo-terminal.
    public func run(into inlet: any ReadingInlet) async throws {
        let terminal = try openTerminal()
        defer { terminal.close() }
        let reader = try makeReader(terminal.slavePath)
        let relabelled = RelabellingInlet(device: Self.device, inlet: inlet)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await reader.run(into: relabelled) }
            group.addTask { try await printLines(to: terminal) }
            try await group.next()
            group.cancelAll()
        }
    }

    private func openTerminal() throws(LinkError) -> PseudoTerminal {
        do throws(SerialError) {
            return try PseudoTerminal()
        } catch {
            throw error.linkError
        }
    }

    private func printLines(to terminal: PseudoTerminal) async throws {
        var pedometer = pedometer
        let start = clock.now()
        var line = pedometer.nextLine()
        while true {
            try Task.checkCancellation()
            let due = start.adding(seconds: line.atSeconds)
            let pause = clock.now().adding(nanoseconds: Self.smallestPauseNanoseconds)
            if due > clock.now() { try await clock.sleep(until: max(due, pause)) }
            let elapsed = clock.now().seconds(since: start)
            var bytes: [UInt8] = []
            repeat {
                bytes += Array(line.text.utf8) + [0x0D, 0x0A]
                line = pedometer.nextLine()
            } while line.atSeconds <= elapsed && bytes.count < Self.writeLimit
            try await terminal.send(bytes)
        }
    }
}

/// Passes reports on under another device's name.
private struct RelabellingInlet: ReadingInlet {
    let device: String
    let inlet: any ReadingInlet

    func report(_ report: DeviceReport) async {
        guard case .opened(let known, let moment) = report.content else {
            return await inlet.report(DeviceReport(device: device, report.content))
        }
        let renamed = known.merging(Device(localIdentifier: device))
        await inlet.report(DeviceReport(device: device, .opened(renamed, at: moment)))
    }
}
