import ControlSocket
import GatewayCore
import GatewayHost
import Platform
import Serial
import Terminal

/// `pulsegate adopt`: this device is ours.
struct AdoptCommand: Command {
    static let syntax = CommandSyntax(
        name: "adopt",
        summary: "Read this Bluetooth sensor or serial port from now on.",
        operands: ["ADDRESS|PORT"],
        options: [
            CommandSyntax.Option(
                name: "--person", value: "NAME", kind: .person, help: "who wears it"),
            CommandSyntax.Option(
                name: "--role", value: "ROLE",
                kind: .words(People.Role.allCases.map(\.rawValue)),
                help:
                    "primary or backup; samples of a backup count where the primary device has none"
            ),
            CommandSyntax.Option(name: "--name", value: "NAME", help: "a name for the device"),
            CommandSyntax.Option(
                name: "--protocol", value: "P", kind: .plugin(.serialProtocol),
                help: "what a port speaks: hxm, or '{ use: \"lines\", preset: \"steps\" }'"),
        ],
        details: """
            A port needs a protocol, unless its device can be recognised; `pulsegate plugins` lists
            them. An address with a protocol is a classic Bluetooth device, which is read over
            RFCOMM, channel 1.
            Adopting a device again changes what is given and leaves the rest as it was. What the
            configuration says of the device or its person stays as it stands there.
            """)

    let call: Subcommand.Call
    let now = SystemClock().instant()

    func run() async throws(HostError) -> ExitStatus {
        let files = try call.files()
        let (file, folder) = (files.configuration, files.folder)
        let wanted = try AdoptionRequest(arguments, people: files.people()) {
            node throws(ConfigurationError) in
            _ = try SerialProtocolFactory.makeProtocol(
                node.knowing(file.configuration.types), from: plugins.serialProtocols)
        }
        let rules = AdoptionRules(
            file: file, claims: plugins.claims(of: file.configuration.sources ?? []),
            protocols: plugins.serialProtocols)
        try rules.checkDevice(wanted.identifier)
        let request = try rules.besideConfiguration(wanted)
        try folder.create()
        let result = try await AdoptedDevicesFile(folder: folder).change {
            devices throws(HostError) in
            try adopt(request, among: &devices, rules)
        }
        try StandardStream.output.writeResult(Self.text(old: result.old, new: result.new))
        if let note = GatewayPlan.note(on: result.new, file, rules.claims) {
            AdoptionNotes.tell(note)
        }
        if result.new.mayChangeAddress { AdoptionNotes.tellOfChangingAddress(result.new) }
        AdoptionNotes.tellRunningGateway(folder)
        return .success
    }

    private func adopt(
        _ request: AdoptionRequest, among devices: inout AdoptedDevices, _ rules: AdoptionRules
    ) throws(HostError) -> (old: AdoptedDevice?, new: AdoptedDevice) {
        let old = devices[request.identifier]
        let new = try rules.completed(request.applied(to: old, at: now))
        devices.insert(new)
        guard devices.count <= AdoptedDevices.limit else {
            throw HostError(
                .failure,
                "\(AdoptedDevices.limit) devices are adopted already; forget one of them first")
        }
        return (old, new)
    }

    private static func text(old: AdoptedDevice?, new: AdoptedDevice) -> String {
        let identifier = LogFormat.escaped(new.identifier.description)
        let summary = LogFormat.escaped(new.summary)
        if old == new { return "\(identifier) is adopted already; nothing has changed\n" }
        if old != nil { return "\(identifier) is adopted already; now it has \(summary)\n" }
        return "adopted \(identifier)\(summary.isEmpty ? "" : ": \(summary)")\n"
    }
}

/// What `adopt` and `forget` have to say beside their result.
enum AdoptionNotes {
    static func tell(_ note: String) {
        StandardStream.error.write("pulsegate: note: \(LogFormat.escaped(note))\n")
    }

    /// An address itself does not tell whether it is a random one.
    static func tellOfChangingAddress(_ device: AdoptedDevice) {
        let address = device.identifier
        tell(
            "if `bluetoothctl info \(address)` calls this address random it changes about every 15 "
                + "minutes, and the device is not known again; pair the device: `pair \(address)` in "
                + "`bluetoothctl`, and adopt the address that it has then")
    }

    /// A gateway that is running goes by what is adopted from now on, or it is said why not.
    static func tellRunningGateway(_ folder: DataDirectory) {
        guard let owner = DataDirectoryLock.owner(of: folder) else { return }
        do throws(HostError) {
            var client = try ControlClient(folder, isSimulation: false, clock: SystemClock())
            _ = try client.ask(.reload)
            tell("the running gateway\(owner) goes by this from now on")
        } catch {
            tell(
                "a gateway is running\(owner) and goes by this when it is started again; "
                    + "\(error.text)")
        }
    }
}
