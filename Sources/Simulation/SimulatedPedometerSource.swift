public import GatewayCore
import HealthModel
import Platform
import Serial

/// A source that reads a ``SimulatedPedometer`` through a pseudo-terminal.
///
/// The lines pass the terminal driver of the kernel like those of a real port. The local identifier of
/// the device is fixed, although the path of the pseudo-terminal changes with every run.
public struct SimulatedPedometerSource: Source {
    /// The local identifier, which is not the path of a port.
    public static let device = "simulated-pedometer"
    /// The maximum number of bytes of a write; the buffer of a terminal has about 4 KiB.
    static let writeLimit = 2_048
    /// The minimum pause between writes: above 100 lines per second, lines are written in groups to
    /// limit timers.
    static let minimumPauseNanoseconds: Int64 = 10_000_000

    private let pedometer: SimulatedPedometer
    private let clock: any GatewayClock
    private let makeReader: @Sendable (String) throws -> any Source

    /// Makes a source.
    ///
    /// - Parameters:
    ///   - pedometer: The pedometer, which restarts with every run.
    ///   - clock: The clock for the times of the lines.
    ///   - makeReader: Makes the source that reads the port at a path.
    public init(
        _ pedometer: SimulatedPedometer, clock: any GatewayClock,
        makeReader: @escaping @Sendable (_ portPath: String) throws -> any Source
    ) {
        self.pedometer = pedometer
        self.clock = clock
        self.makeReader = makeReader
    }

    /// Runs the pedometer and its reader until the task is cancelled or one of them fails.
    ///
    /// - Throws: The error of the reader; ``LinkError`` when no pseudo-terminal is available.
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
            let pause = clock.now().adding(nanoseconds: Self.minimumPauseNanoseconds)
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

/// Forwards reports with another local identifier.
private struct RelabellingInlet: ReadingInlet {
    let device: String
    let inlet: any ReadingInlet

    var recordsTraffic: Bool { inlet.recordsTraffic }

    func report(_ report: DeviceReport) async {
        guard case .opened(let known, let moment) = report.content else {
            return await inlet.report(DeviceReport(device: device, report.content))
        }
        let renamed = known.merging(Device(localIdentifier: device))
        await inlet.report(DeviceReport(device: device, .opened(renamed, at: moment)))
    }
}
