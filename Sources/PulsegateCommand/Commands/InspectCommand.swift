import Bluetooth
import BluetoothSetup
import DeviceScreens
import GatewayCore
import GatewayHost
import Platform
import Synchronization
import Terminal

/// `pulsegate inspect`: shows the services and values of a Bluetooth LE device.
struct InspectCommand: Command {
    static let catchesStopSignals = true

    static let syntax = CommandSyntax(
        name: "inspect",
        summary: "Show the services, characteristics, values and notifications of a device in hex.",
        operands: ["ADDRESS"],
        options: [
            CommandSyntax.Option(
                name: "--for", value: "SECONDS", help: "stop after SECONDS"),
            CommandSyntax.Option(name: "--json", help: "print JSON lines"),
        ],
        details: """
            Connects to the device, reads all readable characteristics once, and subscribes to all
            notifications until Ctrl-C. Nothing is stored. Fails if the device is not seen or does not
            answer within SECONDS.
            """)

    let call: Subcommand.Call

    func run() async throws(HostError) -> ExitStatus {
        let stop = StopSignal()
        stop.listen()
        let address = try arguments.bluetoothAddress()
        let seconds = try arguments.seconds(of: "--for")
        let clock = SystemClock()
        let inspector = BluetoothInspector(
            address: address, busAddress: environment["DBUS_SYSTEM_BUS_ADDRESS"], clock: clock)
        let report = InspectReport(
            address: address, isJSON: arguments.has("--json"), epoch: clock.epoch())
        let progress = InspectionProgress()
        let failure = await withTaskGroup(of: HostError?.self) { group in
            group.addTask { await Self.show(inspector, as: report, on: progress, until: stop) }
            if let seconds {
                group.addTask {
                    // Cancelled only after a stop was requested.
                    guard (try? await clock.sleep(seconds: seconds)) != nil else { return nil }
                    stop.stop()
                    return progress.failure(of: address, after: arguments.value(of: "--for") ?? "")
                }
            }
            await stop.wait()
            group.cancelAll()
            return await group.reduce(nil) { $0 ?? $1 }
        }
        if let failure { throw failure }
        return .success
    }

    /// Prints until the task is cancelled, the link ends, or the output is closed.
    private static func show(
        _ inspector: BluetoothInspector, as report: InspectReport, on progress: InspectionProgress,
        until stop: StopSignal
    ) async -> HostError? {
        defer { stop.stop() }
        let problem = Mutex<HostError?>(nil)
        do {
            try await inspector.run { events in
                for event in events {
                    progress.update(event)
                    if let line = report.progress(event) {
                        StandardStream.error.write("\(line)\n")
                    }
                    let text = report.text(event)
                    guard !text.isEmpty else { continue }
                    do throws(HostError) {
                        guard try StandardStream.output.writePart(Array(text.utf8)) else {
                            return stop.stop()
                        }
                    } catch {
                        problem.withLock { $0 = error }
                        return stop.stop()
                    }
                }
            }
        } catch {
            if let error = error as? LinkError { return HostError(error) }
        }
        return problem.withLock { $0 }
    }
}
