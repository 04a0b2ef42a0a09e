import Bluetooth
import DBus
import GatewayCore
import Platform

/// The state machine of ``AdvertisementReceiver``: scans with the selected adapters and hands the
/// data of advertisements to a listener.
struct ReceiverMachine<Listener: AdvertisementListener>: BlueZMachine {
    typealias Request = AdapterDiscoveries.Request

    enum Output: BlueZOutput {
        case report(DeviceReport)
        case problem(CentralProblem?)
        /// bluetoothd refuses the discovery filter.
        case filterRefused(adapter: String, reason: String, count: Int)
        /// This many silent devices have made room for others.
        case replaced(count: Int)

        var isDroppable: Bool {
            switch self {
            case .report(let report): report.content.isDroppable
            case .problem, .filterRefused, .replaced: false
            }
        }
    }

    typealias Action = BlueZAction<Request, Output>

    private var listener: Listener
    private let selection: BluetoothSelection
    private let parts: Set<AdvertisementPart>
    private var discoveries: AdapterDiscoveries
    private var problem: CentralProblem?
    private var isStopped = false

    init(_ listener: Listener, selection: BluetoothSelection, parts: Set<AdvertisementPart>) {
        self.listener = listener
        self.selection = selection
        self.parts = parts
        discoveries = AdapterDiscoveries(selection)
    }

    var wakeTime: BootInstant? { .earlier(discoveries.wakeTime, listener.wakeTime) }

    mutating func handle(
        _ event: BlueZEvent<Request>, in tree: ManagedObjects, at now: BootInstant
    ) -> [Action] {
        guard !isStopped else { return [] }
        switch event {
        case .available: return scan(in: tree, at: now)
        case .unavailable(let error), .closed(let error):
            discoveries.reset(.bluetoothd(error))
            return showProblem(in: tree, at: now)
        case .changed(let change): return handle(change, in: tree, at: now)
        case .finished(let request, let result):
            return answered(request, result.error, in: tree, at: now)
        case .timer:
            let reports = listener.wakeTime.map { $0 <= now } == true ? listener.wake(at: now) : []
            return reports.map { .output(.report($0)) } + scan(in: tree, at: now)
        case .agent: return []
        case .stop:
            isStopped = true
            return listener.interrupt("stopped", at: now).map { .output(.report($0)) }
                + discoveries.finalSteps(at: now).map(call)
        }
    }

    private mutating func answered(
        _ request: Request, _ error: BusError?, in tree: ManagedObjects, at now: BootInstant
    ) -> [Action] {
        let refusals = discoveries.refusedFilterCount(of: request.adapter)
        let next = discoveries.answered(request, error, at: now)
        let count = discoveries.refusedFilterCount(of: request.adapter)
        var actions: [Action] = []
        if let error, count > refusals, count.isPowerOfTen {
            let name = tree.adapter(at: request.adapter)?.name ?? request.adapter
            actions.append(
                .output(.filterRefused(adapter: name, reason: "\(error)", count: count)))
        }
        return actions + (next.map { [call($0)] } ?? scan(in: tree, at: now))
    }

    private mutating func handle(
        _ change: ManagedObjects.Change, in tree: ManagedObjects, at now: BootInstant
    ) -> [Action] {
        switch change {
        case .added(let path, BlueZName.device):
            return received(tree.properties(path, BlueZName.device) ?? [:], path, in: tree, at: now)
        case .changed(let path, BlueZName.device, let properties, _):
            return received(properties, path, in: tree, at: now)
        case .added(_, BlueZName.adapter), .changed(_, BlueZName.adapter, _, _),
            .removed(_, BlueZName.adapter):
            return scan(in: tree, at: now)
        default: return []
        }
    }

    private mutating func received(
        _ properties: [String: BusValue], _ path: String, in tree: ManagedObjects,
        at now: BootInstant
    ) -> [Action] {
        guard AdvertisementPart.propertyNames.contains(where: { properties[$0] != nil }),
            let device = tree.device(at: path), selection.receives(device.address),
            tree.adapter(at: device.adapterPath).map(selection.accepts) == true
        else { return [] }
        var actions: [Action] = []
        let replaced = listener.replacedCount
        for (part, value) in AdvertisementPart.data(in: properties) where parts.contains(part) {
            let advertisement = Advertisement(
                address: device.address, name: device.name, part: part, value: value)
            actions += listener.received(advertisement, at: now).map { .output(.report($0)) }
        }
        let count = listener.replacedCount
        if count > replaced, count.isPowerOfTen {
            actions.append(.output(.replaced(count: count)))
        }
        return actions + showProblem(in: tree, at: now)
    }

    private mutating func scan(in tree: ManagedObjects, at now: BootInstant) -> [Action] {
        let steps = discoveries.nextSteps(in: tree, at: now)
        return showProblem(in: tree, at: now) + steps.map(call)
    }

    /// Reports another problem than the last one; without a radio no device is received.
    private mutating func showProblem(
        in tree: ManagedObjects, at now: BootInstant
    ) -> [Action] {
        let excess = listener.excessCount
        let new =
            discoveries.problem ?? tree.excess
            ?? (excess > 0 ? .tooManyDevices(more: excess, limit: Listener.deviceLimit) : nil)
        guard new != problem else { return [] }
        let reports =
            switch (problem?.kind == .radio, new?.kind == .radio) {
            case (false, true): listener.interrupt(new?.problem ?? "", at: now)
            case (true, false): listener.resume(at: now)
            case (false, false), (true, true): [DeviceReport]()
            }
        problem = new
        return reports.map { .output(.report($0)) } + [.output(.problem(new))]
    }

    /// The call of a discovery step: each advertisement is reported, even if its data is the same.
    private func call(_ request: Request) -> Action {
        let filter: [String: BusValue] = [
            "Transport": .string("le"), "DuplicateData": .boolean(true),
        ]
        return .call(request, discoveries.call(request, filter: filter))
    }
}

extension BluetoothSelection {
    /// Whether to read the advertisements of a device.
    func receives(_ address: BluetoothAddress) -> Bool {
        switch devices {
        case .any: !denied.contains(address)
        case .named: isNamed(address)
        }
    }
}

extension DeviceReport.Content {
    /// Whether it may be dropped when the buffer is full: a value may, the opening of a link may not.
    var isDroppable: Bool {
        switch self {
        case .readings, .dropped, .seen, .discarded, .traffic(.received): true
        case .opened, .records, .stale, .closed, .link, .forgotten, .traffic: false
        }
    }
}
