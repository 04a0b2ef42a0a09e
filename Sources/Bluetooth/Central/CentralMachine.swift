import DBus
import GatewayCore
import Platform

/// Looks for the wanted devices, connects them one after the other, and keeps their links.
///
/// It is pure: what bluetoothd tells goes in, what bluetoothd is asked and what is reported comes out.
struct CentralMachine: BlueZMachine {
    enum Request: Hashable, Sendable {
        case link(BluetoothAddress, Link.Operation, attempt: Int)
        case discovery(adapter: String, Discovery.Step)
    }

    enum Output: BlueZOutput {
        /// Something to say about a device.
        case report(BluetoothAddress, DeviceReport.Content)
        /// What is in the way of all devices now; nil when nothing is any more.
        case trouble(CentralTrouble?)
        /// For whoever looks for a fault.
        case note(BluetoothAddress, String)

        var canBeLost: Bool {
            switch self {
            case .report(_, .readings), .report(_, .dropped), .report(_, .seen), .note: true
            case .report, .trouble: false
            }
        }
    }

    typealias Action = BlueZAction<Request, Output>

    /// With `devices: "any"` no more than these are connected.
    static let linkLimit = 64

    var selection: BluetoothSelection
    let profiles: [any GATTProfile]
    let policy: LinkPolicy
    let services: Set<BluetoothUUID>

    var links: [BluetoothAddress: Link] = [:]
    /// The objects of the wanted devices: one for each adapter that has heard the device.
    var paths: [BluetoothAddress: Set<String>] = [:]
    /// The object that a link uses.
    var linkPaths: [BluetoothAddress: String] = [:]
    /// Whose characteristics have which paths.
    var owners: [String: BluetoothAddress] = [:]
    var adapters: [String: BlueZAdapter] = [:]
    var discoveries: [String: Discovery] = [:]
    var trouble: CentralTrouble?
    /// Counts the attempts of all links: a device may be forgotten and come back while an answer to its
    /// earlier link is still under way.
    var attempts = 0
    /// Whether something has changed that a plan depends on: an object of a device or adapter, the state
    /// of a link, a discovery, the selection.
    var isPlanOutdated = true
    private(set) var isAvailable = false

    /// Makes a machine for the selected devices, which are read with these profiles.
    init(selection: BluetoothSelection, profiles: [any GATTProfile], policy: LinkPolicy) {
        self.selection = selection
        self.profiles = profiles
        self.policy = policy
        services = Set(profiles.map(\.service))
        for address in selection.named {
            links[address] = Link(address: address, profiles: profiles, policy: policy)
        }
    }

    var wakeTime: BootInstant? {
        let links = links.values.reduce(nil) { BootInstant.earlier($0, $1.wakeTime) }
        return discoveries.values.reduce(links) { BootInstant.earlier($0, $1.wakeTime) }
    }

    mutating func handle(
        _ event: BlueZEvent<Request>, in tree: ManagedObjects, at now: BootInstant
    ) -> [Action] {
        switch event {
        case .available: return begin(in: tree, at: now) + plan(in: tree, at: now)
        case .unavailable(let error):
            return show(.bluetoothd(error)) + loseAll(error.problem, in: tree, at: now)
        case .closed(let error): return loseAll(error.problem, in: tree, at: now)
        case .changed(let change):
            return handle(change, in: tree, at: now) + plan(in: tree, at: now)
        case .finished(let request, let result):
            return finish(request, result, in: tree, at: now) + plan(in: tree, at: now)
        case .timer:
            isPlanOutdated = true
            return wakeLinks(in: tree, at: now) + plan(in: tree, at: now)
        case .stop: return stop(in: tree, at: now)
        }
    }

    /// Lets links have their turn, and looks for devices or not; nothing while the last plan holds.
    mutating func plan(in tree: ManagedObjects, at now: BootInstant) -> [Action] {
        guard isAvailable, isPlanOutdated else { return [] }
        let actions = giveTurns(in: tree, at: now) + steerDiscoveries(at: now)
        isPlanOutdated = false
        return actions
    }

    private mutating func begin(in tree: ManagedObjects, at now: BootInstant) -> [Action] {
        isAvailable = true
        isPlanOutdated = true
        for adapter in tree.adapters { adapters[adapter.path] = adapter }
        var actions = judgeAdapters(at: now)
        for device in tree.devices { actions += consider(device, in: tree, at: now) }
        return actions
    }

    private mutating func loseAll(
        _ reason: String, in tree: ManagedObjects, at now: BootInstant
    ) -> [Action] {
        isAvailable = false
        adapters = [:]
        discoveries = [:]
        paths = [:]
        linkPaths = [:]
        owners = [:]
        var actions: [Action] = []
        for address in links.keys.sorted() {
            let lost = links[address]?.lose(reason, at: now) ?? []
            actions += translate(lost, of: address, in: tree)
        }
        forgetStrangers()
        return actions
    }

    private mutating func stop(in tree: ManagedObjects, at now: BootInstant) -> [Action] {
        var actions: [Action] = []
        for address in links.keys.sorted() {
            actions += translate(links[address]?.stop(at: now) ?? [], of: address, in: tree)
        }
        for path in adapters.keys.sorted() {
            guard let step = discoveries[path]?.steer(isWanted: false, at: now) else { continue }
            actions.append(call(step, on: path))
        }
        isAvailable = false
        return actions
    }

    /// Says what is in the way of all devices, when that has changed.
    mutating func show(_ new: CentralTrouble?) -> [Action] {
        guard new != trouble else { return [] }
        trouble = new
        return [.output(.trouble(new))]
    }
}

/// What is in the way of all devices.
enum CentralTrouble: Hashable, Sendable {
    /// bluetoothd, or the bus to it.
    case bluetoothd(LinkError)
    /// There is no adapter, or not the one that was named.
    case noAdapter(named: String?)
    /// The adapters that may be used are off.
    case adapterOff(String)

    /// What is wrong.
    var problem: String { error(isBlocked: nil).problem }

    /// What is wrong, and what mends it; `isBlocked` is what the kernel says of blocked radios.
    func error(isBlocked: RadioBlock?) -> LinkError {
        switch self {
        case .bluetoothd(let error): return error
        case .noAdapter(let name):
            let which = name.map { "no Bluetooth adapter \($0)" } ?? "no Bluetooth adapter"
            return LinkError(which, remedy: "plug it in; `bluetoothctl list` shows what there is")
        case .adapterOff(let name):
            switch isBlocked {
            case .bySwitch:
                return LinkError(
                    "the Bluetooth adapter \(name) is blocked", remedy: "use the machine's switch")
            case .bySoftware:
                return LinkError(
                    "the Bluetooth adapter \(name) is blocked",
                    remedy: "rfkill unblock bluetooth && bluetoothctl power on")
            case nil:
                return LinkError(
                    "the Bluetooth adapter \(name) is off", remedy: "bluetoothctl power on")
            }
        }
    }
}
