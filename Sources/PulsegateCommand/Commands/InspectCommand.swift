import Bluetooth
import GatewayCore
import Synchronization

/// `pulsegate inspect`: what an unknown device offers and says.
struct InspectCommand: Sendable {
    static let syntax = CommandSyntax(
        name: "inspect",
        summary: "Show services, characteristics, values and notifications of a device, in hex.",
        operands: ["ADDRESS"],
        options: [
            CommandSyntax.Option(
                name: "--for", value: "SECONDS", help: "stop after so many seconds"),
            CommandSyntax.Option(name: "--json", help: "a line of JSON for each, for programs"),
        ],
        details: """
            The device is connected, everything readable is read once, and everything that notifies is
            subscribed to until Ctrl-C. Nothing is kept.
            """)

    let arguments: ParsedArguments
    let environment: Environment

    func run() async throws(CommandFailure) -> ExitStatus {
        let stop = StopSignal()
        stop.listen()
        let operand = arguments.operands[0]
        guard let address = BluetoothAddress(operand) else {
            throw CommandFailure(
                .usage,
                "`\(operand)` is no Bluetooth address, such as D0:11:22:33:44:55; "
                    + "`pulsegate devices` shows those around")
        }
        let seconds = try arguments.seconds(of: "--for")
        let clock = SystemClock()
        let inspector = BluetoothInspector(
            address: address, busAddress: environment["DBUS_SYSTEM_BUS_ADDRESS"], clock: clock)
        let report = InspectReport(isJSON: arguments.has("--json"), epoch: clock.epoch())
        let failure = await withTaskGroup(of: LinkError?.self) { group in
            group.addTask { await Self.show(inspector, as: report, until: stop) }
            if let seconds {
                group.addTask {
                    try? await clock.sleep(seconds: seconds)
                    stop.stop()
                    return nil
                }
            }
            await stop.wait()
            group.cancelAll()
            return await group.reduce(nil) { $0 ?? $1 }
        }
        if let failure { throw CommandFailure(.failure, "\(failure)") }
        return .success
    }

    /// Prints until the task is cancelled, the link ends, or nobody reads any more.
    private static func show(
        _ inspector: BluetoothInspector, as report: InspectReport, until stop: StopSignal
    ) async -> LinkError? {
        defer { stop.stop() }
        do {
            try await inspector.run { events in
                for event in events {
                    if let progress = report.progress(event) {
                        StandardStream.error.write("\(progress)\n")
                    }
                    let text = report.text(event)
                    guard !text.isEmpty else { continue }
                    do throws(OutputDescriptor.Failure) {
                        try StandardStream.output.writeAll(Array(text.utf8))
                    } catch {
                        stop.stop()
                    }
                }
            }
            return nil
        } catch {
            return error as? LinkError
        }
    }
}
