import Bluetooth
import BluetoothSetup
import GatewayCore
import GatewayHost
import JSON
import Platform
import Synchronization
import Terminal

/// `pulsegate pair`: pairs a Bluetooth device that requires encryption.
struct PairCommand: Command {
    static let catchesStopSignals = true

    static let syntax = CommandSyntax(
        name: "pair",
        summary: "Pair a Bluetooth device that requires encryption.",
        operands: ["ADDRESS"],
        options: [
            CommandSyntax.Option(
                name: "--timeout", value: "SECONDS", help: "give up after SECONDS; default: 60"),
            CommandSyntax.Option(name: "--json", help: "print the result as JSON"),
        ],
        details: """
            At a terminal it asks for the passkey or PIN of the device, if there is one; without a
            terminal it pairs devices that need none. bluetoothd stores the pairing. The gateway may
            be running: it reads the device as soon as it is paired, if it is adopted.
            """)

    private static let defaultSeconds = 60.0

    let call: Subcommand.Call

    func run() async throws(HostError) -> ExitStatus {
        let address = try arguments.bluetoothAddress()
        let seconds = try arguments.seconds(of: "--timeout") ?? Self.defaultSeconds
        let stop = StopSignal()
        stop.listen()
        let terminal = TerminalLines()
        let pairer = BluetoothPairer(
            address: address, seconds: seconds, hasTerminal: terminal != nil,
            busAddress: environment["DBUS_SYSTEM_BUS_ADDRESS"], clock: SystemClock())
        let outcome = await withTaskGroup(of: Result<String?, HostError>.self) { group in
            group.addTask { await pair(with: pairer, at: terminal, until: stop) }
            await stop.wait()
            group.cancelAll()
            return await group.next() ?? .success(nil)
        }
        guard let text = try outcome.get() else {
            throw HostError(.failure, "\(address) is not paired")
        }
        try StandardStream.output.writeResult(text)
        return .success
    }

    /// Pairs until the task is cancelled; returns the result, nil when it was interrupted.
    private func pair(
        with pairer: BluetoothPairer, at terminal: TerminalLines?, until stop: StopSignal
    ) async -> Result<String?, HostError> {
        defer { stop.stop() }
        let result = Mutex<String?>(nil)
        do {
            try await pairer.run(asking: { await terminal?.ask($0) }) { event in
                if let line = event.progress { StandardStream.error.write("\(line)\n") }
                guard case .paired(let name, let isNew) = event else { return }
                result.withLock { $0 = text(pairer.address, name, isNew: isNew) }
                stop.stop()
            }
        } catch {
            if let error = error as? LinkError { return .failure(HostError(.failure, "\(error)")) }
        }
        return .success(result.withLock { $0 })
    }

    private func text(_ address: BluetoothAddress, _ name: String?, isNew: Bool) -> String {
        guard arguments.has("--json") else {
            let label = name.map { ": \(LogFormat.escaped($0))" } ?? ""
            return isNew ? "paired \(address)\(label)\n" : "\(address) is already paired\(label)\n"
        }
        let object: [String: JSONValue] = [
            "address": .string(address.description), "name": name.map(JSONValue.string) ?? .null,
            "paired": .boolean(true), "new": .boolean(isNew),
        ]
        return "\(JSONValue.object(object).json)\n"
    }
}
