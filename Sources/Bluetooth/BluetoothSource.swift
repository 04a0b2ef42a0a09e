import DBus
public import GatewayCore
import JSON
import Platform

/// Reads Bluetooth Low Energy devices through bluetoothd.
///
/// `run` connects the selected devices and keeps their links until the task is cancelled. Only the
/// loss of the bus ends it; it waits for bluetoothd, adapters and devices to come back.
public struct BluetoothSource: Source, SelfChecking {
    let profiles: [any GATTProfile]
    /// The settings of the profiles, to detect a change.
    private let profileSettings: JSONValue?
    private let selected: SelectedDevices
    private let acquired: AcquiredNotifications
    private let linksPerAdapter: Int?
    private let busAddress: String?
    let context: ComponentContext

    init(
        selection: BluetoothSelection, profiles: [any GATTProfile],
        profileSettings: JSONValue? = nil, acquired: AcquiredNotifications = .none,
        linksPerAdapter: Int? = nil, busAddress: String?, context: ComponentContext
    ) {
        selected = SelectedDevices(selection, quarantine: context.quarantine)
        self.profiles = profiles
        self.profileSettings = profileSettings
        self.acquired = acquired
        self.linksPerAdapter = linksPerAdapter
        self.busAddress = busAddress
        self.context = context
    }

    /// The devices that the source reads.
    var selection: BluetoothSelection { selected.selection }

    /// What an operator should know about the profiles.
    package var notes: [String] { ProfileOverlap.all(of: profiles).map(\.note) }

    /// Continues with another device selection, unless the adapter or the profiles have changed
    /// too.
    public func adapt(to other: any Source) async -> Bool {
        guard let other = other as? BluetoothSource, profileSettings == other.profileSettings,
            busAddress == other.busAddress, acquired == other.acquired,
            linksPerAdapter == other.linksPerAdapter,
            selection.adapter == other.selection.adapter
        else { return false }
        await selected.change(to: other.selection)
        return true
    }

    /// Checks that the programs of the profiles can be executed.
    public func check() throws(ConfigurationError) {
        for profile in profiles {
            try (profile as? any ProgramDecoded)?.checkProgram(context)
        }
    }

    /// Reads the devices until the task is cancelled.
    ///
    /// - Throws: ``LinkError`` when the bus is unavailable; `CancellationError` on cancellation.
    public func run(into inlet: any ReadingInlet) async throws {
        try Task.checkCancellation()
        await inlet.note(problem: nil)
        let selection = selection
        if selection.devices != .any, selection.named.isEmpty {
            context.log.warning(
                "no devices to read; run `pulsegate devices` to list the devices in range, "
                    + "then `pulsegate adopt ADDRESS`")
        }
        for address in selection.named.sorted() {
            let wanted = DeviceReport.Content.link(.wanted, reason: "not seen yet")
            await inlet.report(DeviceReport(device: address.description, wanted))
        }
        for address in selected.quarantined { await report(quarantined: address, to: inlet) }
        var policy = LinkPolicy()
        policy.recordsTraffic = inlet.recordsTraffic
        policy.acquired = acquired
        policy.linksPerAdapter = linksPerAdapter
        let ownLinks = OwnLinkFiles(context)
        let machine = CentralMachine(
            selection: selection, profiles: profiles, policy: policy,
            earlierLinks: await ownLinks.read(),
            makeMark: { [context] in context.mark(for: $0.description) })
        let problems = SourceProblems(inlet: inlet, context: context)
        defer { problems.end() }
        let programs = ProfilePrograms(
            profiles: profiles, context: context, inlet: inlet, problems: problems)
        do {
            let client = try BlueZClient(
                machine, address: busAddress, clock: context.clock, servedBy: context.poller,
                acceptsDescriptors: acquired != .none,
                malformed: context.log.malformedValue)
            let probe = context.probe(of: client)
            defer { withExtendedLifetime(probe) {} }
            await selected.attach(client)
            defer { selected.detach(client) }
            async let _ = selected.followReleases()
            async let _ = programs.run(client)
            try await client.run { outputs, lost in
                if lost > 0 { context.log.droppedValues(lost) }
                for output in outputs {
                    await deliver(output, into: inlet, programs, problems, ownLinks)
                }
            }
        } catch let error as BusError {
            throw BlueZProblem.bus(error)
        }
    }

    private func report(
        quarantined address: BluetoothAddress, to inlet: any ReadingInlet
    ) async {
        let reason = Quarantine.reason(for: address.description)
        context.log.error(
            "the device is in quarantine", ["device": address.description, "reason": reason])
        let content = DeviceReport.Content.link(.quarantined, reason: reason)
        await inlet.report(DeviceReport(device: address.description, content))
    }

    private func deliver(
        _ output: CentralMachine.Output, into inlet: any ReadingInlet,
        _ programs: ProfilePrograms, _ problems: SourceProblems, _ ownLinks: OwnLinkFiles
    ) async {
        switch output {
        case .report(let address, .traffic(.adapter(let names))):
            let settings = DeviceReport.Content.traffic(.adapter(settings(of: names)))
            await inlet.report(DeviceReport(device: address.description, settings))
        case .report(let address, let content):
            if case .closed(let moment, _) = content { await programs.end(address, at: moment) }
            await inlet.report(DeviceReport(device: address.description, content))
        case .problem(let problem): await problems.show(problem)
        case .keepsFailing(let address, let reason, let count):
            context.log.keepsFailing(address, reason, count)
        case .filterRefused(let adapter, let reason, let count):
            context.log.filterRefused(adapter, reason, count)
        case .replaced(let count): context.log.replacedDevices(count)
        case .ownLink(let address, let daemon): await ownLinks.record(address, daemon: daemon)
        case .program(let address, let channel, let input):
            await programs.send(input, to: address, on: channel)
        case .requiresPairing(let address, let reason):
            context.log.warning(
                "the device sends nothing without pairing",
                ["device": address.description, "reason": reason])
        case .note(let address, let text):
            context.log.debug(
                "Bluetooth request failed", ["device": address.description, "reason": text])
        }
    }

    /// Replaces the names of profiles with their entries in the setting `profiles`.
    private func settings(of adapter: JSONValue) -> JSONValue {
        guard case .object(let object) = adapter, case .array(let names)? = object["profiles"],
            case .array(let entries)? = profileSettings
        else { return adapter }
        // The profiles are made from the entries, in their order.
        let used = zip(profiles, entries).filter { names.contains(.string($0.0.name)) }.map(\.1)
        return .object(["profiles": .array(used)])
    }
}
