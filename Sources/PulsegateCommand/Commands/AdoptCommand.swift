import ControlSocket
import GatewayCore
import GatewayHost
import JSON
import Platform
import PluginPlans
import Terminal

/// `pulsegate adopt`: adopts a device.
struct AdoptCommand: Command {
    static let syntax = CommandSyntax(
        name: "adopt",
        summary: "Read a Bluetooth sensor or serial port from now on.",
        operands: ["ADDRESS|PORT"],
        options: [
            CommandSyntax.Option(
                name: "--person", value: "NAME", kind: .person,
                help: "the person who wears the device"),
            CommandSyntax.Option(
                name: "--role", value: "ROLE",
                kind: .words(People.Role.allCases.map(\.rawValue)),
                help:
                    "primary or backup; samples of a backup count where the primary device has none"
            ),
            CommandSyntax.Option(name: "--name", value: "NAME", help: "a name for the device"),
            CommandSyntax.Option(
                name: "--protocol", value: "P", kind: .plugin(.serialProtocol),
                help: "protocol of a port: hxm, or '{ use: \"lines\", preset: \"steps\" }'"),
            CommandSyntax.Option(
                name: "--format", value: "F", kind: .plugin(.advertisementFormat),
                help: "read the device from its advertisements in this format, such as bthome"),
        ],
        details: """
            A port requires a protocol, unless its device is recognized; `pulsegate plugins` lists
            them. An address with a protocol is a classic Bluetooth device, which is read over
            RFCOMM, channel 1. A device with a format is read from its advertisements and never
            connected. Without --format and --protocol a Bluetooth device is connected, unless
            bluetoothd has received it, its advertisements have a format, and no profile reads it.
            Adopting a device again changes the given facts and keeps the others. The configuration
            wins: facts that it sets about the device or its person can be changed only there.
            """)

    let call: Subcommand.Call

    /// The options by key of the request, for errors; the operand has an empty one.
    static let names = [
        AdoptionRequest.deviceKey: "", "person": "--person", "role": "--role", "name": "--name",
        "protocol": "--protocol", "format": "--format",
    ]

    func run() async throws(HostError) -> ExitStatus {
        let files = try call.files()
        let request = try request()
        let change = DataDirectoryChange(folder: files.folder, arguments: Self.names)
        let (result, note) = try await change.make(
            .adopt, request, read: AdoptionResult.init(answer:)
        ) { node in
            try await DeviceAdoption(
                file: files.configuration, folder: files.folder, plugins: plugins,
                radio: RadioDevices(plugins, environment, clock: SystemClock())
            ).adopt(node, at: SystemClock().instant())
        }
        try StandardStream.output.writeResult(Self.text(result))
        for note in result.notes + (note.map { [$0] } ?? []) { CommandNote.write(note) }
        return .success
    }

    /// The request: an object with the device and the given facts.
    private func request() throws(HostError) -> JSONValue {
        var request = [AdoptionRequest.deviceKey: JSONValue.string(arguments.operands[0])]
        for (key, option) in Self.names {
            guard let text = arguments.value(of: option) else { continue }
            request[key] = .string(text)
        }
        if let text = arguments.value(of: "--protocol"),
            text.drop(while: \.isWhitespace).hasPrefix("{")
        {
            do throws(JSONError) {
                request["protocol"] = try JSONValue(json5: text)
            } catch {
                throw HostError(.usage, "--protocol: \(error)")
            }
        }
        return .object(request)
    }

    private static func text(_ result: AdoptionResult) -> String {
        let identifier = LogFormat.escaped(result.device.identifier.description)
        let summary = LogFormat.escaped(result.device.summary)
        return switch result.change {
        case .adopted: "adopted \(identifier)\(summary.isEmpty ? "" : ": \(summary)")\n"
        case .changed: "\(identifier) is already adopted; updated to \(summary)\n"
        case .unchanged: "\(identifier) is already adopted; nothing has changed\n"
        case .released: "\(identifier) is released from quarantine and read again\n"
        }
    }
}
