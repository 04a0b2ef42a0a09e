import Bluetooth
import DBus
import GatewayCore
import Platform

/// The state machine of `pulsegate devices`: scans with every adapter and reports devices in range.
struct ScanMachine: BlueZMachine {
    typealias Request = AdapterDiscoveries.Request

    enum Output: Hashable, BlueZOutput {
        case found(ScannedDevice)
        case lost(BluetoothAddress)
        case problem(CentralProblem?)

        /// A device that is still in range is reported again soon.
        var isDroppable: Bool { if case .found = self { true } else { false } }
    }

    typealias Action = BlueZAction<Request, Output>

    private var discoveries = AdapterDiscoveries()
    /// The objects of each device: one for each adapter that knows it.
    private var paths: [BluetoothAddress: Set<String>] = [:]
    private var owners: [String: BluetoothAddress] = [:]
    private var shown: [BluetoothAddress: ScannedDevice] = [:]
    private var problem: CentralProblem?
    /// After the stop, devices that bluetoothd removes are not reported as lost.
    private var isStopped = false

    var wakeTime: BootInstant? { discoveries.wakeTime }

    mutating func handle(
        _ event: BlueZEvent<Request>, in tree: ManagedObjects, at now: BootInstant
    ) -> [Action] {
        guard !isStopped else { return [] }
        switch event {
        case .available:
            for device in tree.devices { _ = register(device.path, in: tree) }
            return scan(in: tree, at: now) + paths.keys.sorted().flatMap { update($0, in: tree) }
        case .unavailable(let error), .closed(let error):
            discoveries.reset(.bluetoothd(error))
            paths = [:]
            owners = [:]
            return showProblem(in: tree) + shown.keys.sorted().flatMap { update($0, in: tree) }
        case .changed(let change): return handle(change, in: tree, at: now)
        case .finished(let request, let result):
            let next = discoveries.answered(request, result.error, at: now)
            return next.map { [call($0)] } ?? scan(in: tree, at: now)
        case .timer: return scan(in: tree, at: now)
        case .agent: return []
        case .stop:
            isStopped = true
            return discoveries.finalSteps(at: now).map(call)
        }
    }

    private mutating func handle(
        _ change: ManagedObjects.Change, in tree: ManagedObjects, at now: BootInstant
    ) -> [Action] {
        switch change {
        case .added(let path, BlueZName.device), .changed(let path, BlueZName.device, _, _),
            .removed(let path, BlueZName.device):
            return register(path, in: tree).flatMap { update($0, in: tree) }
        case .added(_, BlueZName.adapter), .changed(_, BlueZName.adapter, _, _),
            .removed(_, BlueZName.adapter):
            return scan(in: tree, at: now)
        default: return []
        }
    }

    /// Stores which device an object belongs to; returns the affected devices.
    private mutating func register(_ path: String, in tree: ManagedObjects) -> [BluetoothAddress] {
        let (old, new) = (owners[path], tree.device(at: path)?.address)
        owners[path] = new
        if let old { paths[old]?.remove(path) }
        if let new { paths[new, default: []].insert(path) }
        return old == new ? [new].compactMap(\.self) : [old, new].compactMap(\.self)
    }

    /// Reports the changes of one device, which several adapters may receive.
    private mutating func update(_ address: BluetoothAddress, in tree: ManagedObjects) -> [Action] {
        let objects = (paths[address] ?? []).compactMap(tree.device)
        guard let device = ScannedDevice(objects, in: tree) else {
            paths[address] = nil
            return shown.removeValue(forKey: address) == nil ? [] : [.output(.lost(address))]
        }
        guard shown.updateValue(device, forKey: address) != device else { return [] }
        return [.output(.found(device))]
    }

    /// Keeps every powered adapter scanning.
    private mutating func scan(in tree: ManagedObjects, at now: BootInstant) -> [Action] {
        let steps = discoveries.nextSteps(in: tree, at: now)
        return showProblem(in: tree) + steps.map(call)
    }

    private mutating func showProblem(in tree: ManagedObjects) -> [Action] {
        let new = discoveries.problem ?? tree.excess
        guard new != problem else { return [] }
        problem = new
        return [.output(.problem(problem))]
    }

    /// The call of a discovery step; the filter admits classic Bluetooth and Low Energy, and every
    /// change of signal strength.
    private func call(_ request: Request) -> Action {
        let filter: [String: BusValue] = [
            "Transport": .string("auto"), "DuplicateData": .boolean(false), "RSSI": .int16(-127),
        ]
        return .call(request, discoveries.call(request, filter: filter))
    }
}

extension ScannedDevice {
    /// The device at an address, as its adapters receive it; nil when bluetoothd does not know it.
    init?(_ address: BluetoothAddress, in tree: ManagedObjects) {
        self.init(tree.devices.filter { $0.address == address }, in: tree)
    }

    /// The device with these objects, by the one with the strongest signal; nil without one.
    fileprivate init?(_ objects: [BlueZDevice], in tree: ManagedObjects) {
        let best = objects.max {
            ($0.signalStrength ?? .min, $1.path) < ($1.signalStrength ?? .min, $0.path)
        }
        guard let best else { return nil }
        let properties = tree.properties(best.path, BlueZName.device) ?? [:]
        self.init(
            address: best.address, addressKind: best.addressKind, name: best.name,
            signalStrength: best.signalStrength, services: best.services,
            advertised: Dictionary(
                AdvertisementPart.data(in: properties).map { ($0.part, $0.value) }
            ) { first, _ in first },
            isConnected: best.isConnected, isPaired: best.isPaired,
            adapter: String(best.adapterPath.split(separator: "/").last ?? ""))
    }
}
