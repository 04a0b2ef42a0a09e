import Advertisements
package import GatewayCore
package import HealthModel
import JSON

/// Adopts and forgets devices: changes the file of adopted devices in a data directory.
///
/// The configuration wins: a fact that it sets about a device cannot be set here. An error in the request
/// itself is a ``ConfigurationError`` with the key that is wrong, every other one a ``HostError``.
package struct DeviceAdoption {
    private let file: ConfigurationFile
    private let folder: DataDirectory
    private let rules: AdoptionRules
    private let radio: RadioDevices

    /// Creates a value for the data directory `folder` and the configuration `file`.
    ///
    /// - Parameter radio: What bluetoothd knows of the devices.
    package init(
        file: ConfigurationFile, folder: DataDirectory, plugins: Plugins, radio: RadioDevices
    ) {
        self.file = file
        self.folder = folder
        self.radio = radio
        rules = AdoptionRules(
            file: file, claims: plugins.claims(of: file.configuration.sources ?? []),
            protocols: plugins.serialProtocols, formats: plugins.advertisements.map(\.use))
    }

    /// Adopts the device of a request, or changes the facts of an adopted device.
    ///
    /// - Parameter isOwner: Whether the gateway's user asks, who alone may name a program as protocol, and any
    ///   file as a port.
    package func adopt(
        _ node: ConfigurationNode, at now: Instant, isOwner: Bool = true
    ) async throws -> AdoptionResult {
        let people = try file.people(storedIn: folder).names
        let wanted = try AdoptionRequest(node, people: people, formats: rules.formats) {
            node throws(ConfigurationError) in
            try rules.checkProtocol(node)
        }
        try rules.checkDevice(wanted.identifier)
        if !isOwner {
            guard wanted.spoken.map(rules.runsProgram) != true else {
                throw AccessError.programOfOwner
            }
            guard wanted.identifier.isOfSerialPortOrAddress else { throw AccessError.portOfOwner }
        }
        if let released = try await released(wanted, at: now) { return released }
        let request = await recognized(try rules.besideConfiguration(wanted))
        try folder.create()
        let outcome = try await AdoptedDevicesFile(folder: folder).change {
            devices throws(HostError) in
            try adopt(request, among: &devices, at: now)
        }
        var result = try outcome.get()
        if wanted.format != nil, let note = await connectionNote(on: result) {
            result.notes.append(note)
        }
        return result
    }

    /// What to do about a device that is read from its advertisements, and that a profile reads over a
    /// connection.
    private func connectionNote(on result: AdoptionResult) async -> String? {
        guard result.change != .unchanged,
            let address = BluetoothAddress(result.device.identifier.description)
        else { return nil }
        let profiles = await radio.profiles(of: address, types: file.configuration.types)
        guard !profiles.isEmpty else { return nil }
        return "\(address) is only read from its advertisements; over a connection "
            + "\(profiles.joined(separator: ", ")) can read it, and may measure more: run "
            + "`pulsegate forget \(address)`, then `pulsegate adopt \(address)`"
    }

    /// Releases a device from quarantine; nil if it was not there.
    private func released(
        _ request: AdoptionRequest, at now: Instant
    ) async throws -> AdoptionResult? {
        let identifier = request.identifier
        let crashes = CrashedDevicesFile(crashesIn: folder)
        guard try await crashes.release(identifier.description) else { return nil }
        let adopted = try AdoptedDevicesFile(folder: folder).read()[identifier]
        return AdoptionResult(
            device: adopted ?? request.applied(to: nil, at: now), change: .released, notes: [])
    }

    /// The request with the format of a new device that is received and that no profile reads.
    private func recognized(_ request: AdoptionRequest) async -> AdoptionRequest {
        guard request.format == nil, request.spoken == nil,
            let address = BluetoothAddress(request.identifier.description),
            (try? AdoptedDevicesFile(folder: folder).read()[request.identifier]) == .some(nil)
        else { return request }
        var request = request
        request.format = await radio.onlyFormat(
            of: address, types: file.configuration.types)
        return request
    }

    /// Changes nothing when it returns a failure.
    private func adopt(
        _ request: AdoptionRequest, among devices: inout AdoptedDevices, at now: Instant
    ) throws(HostError) -> Result<AdoptionResult, ConfigurationError> {
        let old = devices[request.identifier]
        let new: AdoptedDevice
        do throws(ConfigurationError) {
            new = try rules.completed(request.applied(to: old, at: now))
        } catch {
            return .failure(error)
        }
        devices.insert(new)
        guard devices.count <= AdoptedDevices.limit else {
            throw HostError(
                .failure,
                "\(AdoptedDevices.limit) devices are already adopted; forget one of them first")
        }
        let change: AdoptionResult.Change =
            old == nil ? .adopted : old == new ? .unchanged : .changed
        return .success(AdoptionResult(device: new, change: change, notes: notes(on: new)))
    }

    private func notes(on device: AdoptedDevice) -> [String] {
        var notes: [String] = []
        if let note = GatewayPlan.note(on: device, file, rules.claims) { notes.append(note) }
        if device.mayChangeAddress {
            let address = device.identifier
            let remedy =
                device.format == nil
                ? "pair the device with `pair \(address)` in `bluetoothctl`, and adopt its new address"
                : "read it with a source of advertisements and `devices: \"any\"`"
            notes.append(
                "if `bluetoothctl info \(address)` calls this address random, it changes about every "
                    + "15 minutes and the device is no longer recognized; \(remedy)")
        }
        return notes
    }

    // MARK: Forgetting

    /// Forgets the device of a request.
    package func forget(_ node: ConfigurationNode) async throws -> ForgetResult {
        let object = try node.object(keys: [AdoptionRequest.deviceKey])
        let adopted = AdoptedDevicesFile(folder: folder)
        // Before the file is locked: without an adopted device there may be no folder to lock.
        let known = try adopted.read()
        let identifier = try AdoptionRequest.identifier(
            try object.require(AdoptionRequest.deviceKey), known: known.devices.map(\.identifier))
        try check(identifier, isAmong: known)
        try await adopted.change { devices throws(HostError) in
            try check(identifier, isAmong: devices)
            devices.remove(identifier)
        }
        let notes = place(of: identifier).map { ["\(identifier) is still configured by \($0)"] }
        return ForgetResult(device: identifier, notes: notes ?? [])
    }

    private func check(
        _ identifier: DeviceIdentifier, isAmong adopted: AdoptedDevices
    ) throws(HostError) {
        guard adopted[identifier] == nil else { return }
        if let place = place(of: identifier) {
            throw HostError(
                .failure,
                "\(identifier) is configured by \(place), not by `pulsegate adopt`; remove it there"
            )
        }
        throw HostError(
            .failure,
            "\(identifier) is not adopted; \(Self.suggestion(for: identifier, adopted))")
    }

    private static func suggestion(
        for identifier: DeviceIdentifier, _ adopted: AdoptedDevices
    ) -> String {
        let known = adopted.devices.map(\.identifier.description)
        return known.isEmpty
            ? "no device is" : Suggestion.message(unknown: identifier.description, known: known)
    }

    /// The place in the configuration that names the device.
    private func place(of identifier: DeviceIdentifier) -> String? {
        file.configuration.people.binding(of: identifier.description).map { binding in
            "devices.\(binding.device) in \(file.place)"
        }
    }
}
