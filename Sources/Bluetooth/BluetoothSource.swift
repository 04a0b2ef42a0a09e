import DBus
public import GatewayCore
import JSON
import Platform

/// Reads Bluetooth low-energy devices through bluetoothd.
///
/// `run` connects the devices that are wanted, and nobody else's, and keeps their links until the task
/// is cancelled. Only the loss of the bus ends it; everything else is waited for.
public struct BluetoothSource: Source {
    let profiles: [any GATTProfile]
    /// What the profiles were made of.
    private let profileSettings: JSONValue?
    private let selected: SelectedDevices
    private let busAddress: String?
    private let context: ComponentContext

    init(
        selection: BluetoothSelection, profiles: [any GATTProfile],
        profileSettings: JSONValue? = nil, busAddress: String?, context: ComponentContext
    ) {
        selected = SelectedDevices(selection)
        self.profiles = profiles
        self.profileSettings = profileSettings
        self.busAddress = busAddress
        self.context = context
    }

    /// The devices that it reads.
    var selection: BluetoothSelection { selected.selection }

    /// Goes on with other devices, unless the adapter or the profiles have changed too.
    public func adapt(to other: any Source) async -> Bool {
        guard let other = other as? BluetoothSource, profileSettings == other.profileSettings,
            busAddress == other.busAddress, selection.adapter == other.selection.adapter
        else { return false }
        await selected.change(to: other.selection)
        return true
    }

    /// Reads the devices until the task is cancelled.
    ///
    /// - Throws: ``LinkError`` when there is no bus; `CancellationError` when the task is cancelled.
    public func run(into inlet: any ReadingInlet) async throws {
        try Task.checkCancellation()
        await inlet.note(problem: nil)
        let selection = selection
        if selection.devices != .any, selection.named.isEmpty {
            context.log.warning(
                "no device to read; `pulsegate devices` shows those around, "
                    + "`pulsegate adopt ADDRESS` makes one yours")
        }
        for address in selection.named.sorted() {
            let wanted = DeviceReport.Content.link(.wanted, reason: "not heard yet")
            await inlet.report(DeviceReport(device: address.description, wanted))
        }
        let machine = CentralMachine(
            selection: selection, profiles: profiles, policy: LinkPolicy())
        do {
            let client = try BlueZClient(machine, address: busAddress, clock: context.clock)
            await selected.tell(client)
            defer { selected.tellNobody() }
            try await client.run { outputs, lost in
                if lost > 0 { context.log.error("too much came at once", ["lost": "\(lost)"]) }
                for output in outputs { await take(output, into: inlet) }
            }
        } catch let error as BusError {
            throw BlueZTrouble.bus(error)
        }
    }

    private func take(
        _ output: CentralMachine.Output, into inlet: any ReadingInlet
    ) async {
        switch output {
        case .report(let address, let content):
            await inlet.report(DeviceReport(device: address.description, content))
        case .trouble(let trouble?):
            let error = trouble.error(isBlocked: RadioBlock.read())
            context.log.warning("\(error)")
            await inlet.note(problem: error)
        case .trouble(nil):
            context.log.info("Bluetooth works again")
            await inlet.note(problem: nil)
        case .note(let address, let text):
            context.log.debug(text, ["device": address.description])
        }
    }
}
