import GatewayCore
import GatewayHost
import JSON
import Platform
import Terminal

/// `pulsegate forget`: this device is not ours any more.
struct ForgetCommand: Command {
    static let syntax = CommandSyntax(
        name: "forget",
        summary: "Undo `adopt`: stop reading the device.",
        operands: ["ADDRESS|PORT"],
        details: "Its samples stay in the store.")

    let call: Subcommand.Call

    func run() async throws(HostError) -> ExitStatus {
        let files = try call.files()
        let (file, folder) = (files.configuration, files.folder)
        let adopted = AdoptedDevicesFile(folder: folder)
        // Before the file is locked: where nothing was ever adopted there is no folder to lock.
        let known = try adopted.read()
        let identifier = try AdoptionRequest.identifier(
            arguments.operands[0], known: known.devices.map(\.identifier))
        try check(identifier, isAmong: known, file)
        try await adopted.change { devices throws(HostError) in
            try check(identifier, isAmong: devices, file)
            devices.remove(identifier)
        }
        let text = LogFormat.escaped("\(identifier)")
        try StandardStream.output.writeResult("\(text) is not adopted any more\n")
        if let place = place(of: identifier, file) {
            AdoptionNotes.tell("it is still yours by \(place)")
        }
        AdoptionNotes.tellRunningGateway(folder)
        return .success
    }

    private func check(
        _ identifier: DeviceIdentifier, isAmong adopted: AdoptedDevices, _ file: ConfigurationFile
    ) throws(HostError) {
        guard adopted[identifier] == nil else { return }
        if let place = place(of: identifier, file) {
            throw HostError(
                .failure, "\(identifier) is yours by \(place), not by `adopt`; remove it there")
        }
        let known = adopted.devices.map(\.identifier.description)
        let remedy =
            known.isEmpty
            ? "nothing is" : Suggestion.message(unknown: identifier.description, known: known)
        throw HostError(.failure, "\(identifier) is not adopted; \(remedy)")
    }

    /// Where the configuration says that the device is the user's.
    private func place(of identifier: DeviceIdentifier, _ file: ConfigurationFile) -> String? {
        file.configuration.people.binding(of: identifier.description).map { binding in
            "devices.\(binding.device) in \(file.place)"
        }
    }
}
