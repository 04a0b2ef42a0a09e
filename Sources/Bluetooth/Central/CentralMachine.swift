import DBus
import GatewayCore
import Platform
import Readings

/// The state machine of a `bluetooth` source: discovers the selected devices, connects them one
/// after the other, and keeps their links.
///
/// It does no I/O: events of bluetoothd go in, calls and reports come out.
struct CentralMachine: BlueZMachine {
    enum Request: Hashable, Sendable {
        case link(BluetoothAddress, Link.Operation, attempt: Int)
        case discovery(adapter: String, Discovery.Step)
        case registerAgent
        /// End a link that is not in use.
        case endLeftover
    }

    enum Output: BlueZOutput {
        /// A report about a device.
        case report(BluetoothAddress, DeviceReport.Content)
        /// A problem that affects all devices; nil when it is solved.
        case problem(CentralProblem?)
        /// A detail for the debug log.
        case note(BluetoothAddress, String)
        /// A device requires pairing, for this reason.
        case requiresPairing(BluetoothAddress, String)
        /// The links of a device have failed `count` times in a row.
        case keepsFailing(BluetoothAddress, reason: String, count: Int)
        /// An adapter refuses the discovery filter, for the `count`th time.
        case filterRefused(adapter: String, reason: String, count: Int)
        /// This many unnamed devices have made room for others.
        case replaced(count: Int)
        /// The device has a link of this source in this bluetoothd (``ManagedObjects/daemon``), or
        /// with nil has none any more.
        case ownLink(BluetoothAddress, daemon: String?)
        /// An input for the program of a device with this channel.
        case program(BluetoothAddress, Channel, DecoderInput)

        var isDroppable: Bool {
            switch self {
            case .report(_, .readings), .report(_, .dropped), .report(_, .seen), .note,
                .filterRefused, .keepsFailing, .replaced:
                true
            case .report(_, .discarded), .report(_, .traffic(.received)): true
            case .program(_, _, .event(let event)): event.kind != .opened
            case .program: true
            case .report, .problem, .requiresPairing, .ownLink: false
            }
        }
    }

    typealias Action = BlueZAction<Request, Output>

    /// The number of failed attempts after which an adapter that does not discover is reported.
    static let failedDiscoveryLimit = 6
    /// The maximum number of links with `devices: "any"`.
    static let linkLimit = 64

    var selection: BluetoothSelection
    let profiles: [any GATTProfile]
    private let makeMark: @Sendable (BluetoothAddress) -> CallMark?
    let policy: LinkPolicy
    let services: Set<BluetoothUUID>
    /// The same as an argument of a discovery filter.
    let serviceFilter: BusValue

    var links = LinkTable()
    /// The bluetoothd of each link that an earlier run has made, or this one before an
    /// interruption.
    var earlierLinks: [BluetoothAddress: String]
    /// The links of ``earlierLinks`` that this run has made with this connection to the bus.
    var interruptedLinks: Set<BluetoothAddress> = []
    /// The bluetoothd that is used.
    private(set) var daemon = ""
    /// The objects of the selected devices: one for each adapter that has seen the device.
    var paths: [BluetoothAddress: Set<String>] = [:]
    /// The device of each of these objects.
    var addresses: [String: BluetoothAddress] = [:]
    /// The device object that each link uses.
    var linkPaths: [BluetoothAddress: String] = [:]
    /// The device of each characteristic, by path.
    var owners: [String: BluetoothAddress] = [:]
    /// The characteristics of each device with a link.
    var ownedPaths: [BluetoothAddress: [String]] = [:]
    /// The usable adapters.
    var adapters: [String: BlueZAdapter] = [:]
    var queues = AdapterQueues()
    var limits: ConnectionLimits
    /// The adapters that cannot have another link.
    var fullAdapters: Set<String> = []
    /// The devices that have no link because every adapter that receives them is full.
    var waitingForConnection: Set<BluetoothAddress> = []
    /// The ready devices that are connected already.
    var connected: [BluetoothAddress] = []
    /// The device whose attempt on each adapter was not shortened yet.
    var connecting: [String: BluetoothAddress] = [:]
    /// The links that have not reported yet that they wait for an adapter.
    var newlyWaiting: [BluetoothAddress] = []
    var discoveries: [String: Discovery] = [:]
    /// The objects of devices that cannot be read, because there are too many links.
    var excess = ExcessDevices<String>()
    /// The number of unnamed devices that have made room for others.
    var replacedCount = 0
    var problems = CentralProblems()
    /// Counts the attempts of all links: a device may be forgotten and come back while an answer to
    /// its earlier link is still pending.
    var attempts = 0
    /// Whether something has changed that a plan depends on: an object of a device or adapter, the
    /// state of a link, a discovery, the selection.
    var isPlanOutdated = true
    private(set) var isAvailable = false

    /// Makes a machine that reads the selected devices with these profiles.
    ///
    /// - Parameters:
    ///   - earlierLinks: The links of earlier runs, and the bluetoothd of each.
    ///   - makeMark: Makes the mark of the profiles' calls for a device.
    init(
        selection: BluetoothSelection, profiles: [any GATTProfile], policy: LinkPolicy,
        earlierLinks: [BluetoothAddress: String] = [:],
        makeMark: @escaping @Sendable (BluetoothAddress) -> CallMark? = { _ in nil }
    ) {
        self.selection = selection
        self.makeMark = makeMark
        self.profiles = profiles
        self.policy = policy
        self.earlierLinks = earlierLinks
        services = Set(profiles.map(\.service))
        limits = ConnectionLimits(policy)
        serviceFilter = .array(services.map(\.description).sorted().map(BusValue.string), of: "s")
        for address in selection.named { links.insert(makeLink(to: address)) }
    }

    /// Makes the link to a device.
    func makeLink(to address: BluetoothAddress) -> Link {
        Link(address: address, profiles: profiles, policy: policy, mark: makeMark(address))
    }

    var wakeTime: BootInstant? {
        let other = BootInstant.earlier(limits.wakeTime, excess.wakeTime)
        return discoveries.values.reduce(BootInstant.earlier(links.wakeTime, other)) {
            BootInstant.earlier($0, $1.wakeTime)
        }
    }

    mutating func handle(
        _ event: BlueZEvent<Request>, in tree: ManagedObjects, at now: BootInstant
    ) -> [Action] {
        react(to: event, in: tree, at: now) + ownershipChanges()
    }

    private mutating func react(
        to event: BlueZEvent<Request>, in tree: ManagedObjects, at now: BootInstant
    ) -> [Action] {
        switch event {
        case .available:
            return [agentRegistration] + begin(in: tree, at: now)
                + evaluateCapacity(in: tree) + plan(in: tree, at: now)
        case .unavailable(let error):
            let actions = change { $0 = CentralProblems(radio: .bluetoothd(error)) }
            // If this bluetoothd comes back, its subscriptions are still those of this run.
            interruptedLinks.formUnion(links.own)
            return actions + interruptAll(error.problem, in: tree, at: now)
        case .closed(let error): return interruptAll(error.problem, in: tree, at: now)
        case .changed(let change):
            return handle(change, in: tree, at: now) + evaluateCapacity(in: tree)
                + plan(in: tree, at: now)
        case .finished(let request, let result):
            return finish(request, result, in: tree, at: now) + plan(in: tree, at: now)
        case .agent(let event):
            return handle(event, in: tree, at: now) + plan(in: tree, at: now)
        case .timer:
            isPlanOutdated = true
            return wakeLinks(in: tree, at: now) + evaluateCapacity(in: tree)
                + plan(in: tree, at: now)
        case .stop: return stop(in: tree, at: now)
        }
    }

    /// Starts connection attempts and updates discovery; does nothing while the last plan is
    /// current.
    mutating func plan(in tree: ManagedObjects, at now: BootInstant) -> [Action] {
        guard isAvailable, isPlanOutdated else { return [] }
        updateFullAdapters(in: tree, at: now)
        var actions = startAttempts(in: tree, at: now) + updateDiscoveries(at: now)
        let shortage = evaluateConnections()
        if shortage != problems.connections { actions += change { $0.connections = shortage } }
        isPlanOutdated = false
        return actions
    }

    private mutating func begin(in tree: ManagedObjects, at now: BootInstant) -> [Action] {
        isAvailable = true
        isPlanOutdated = true
        for adapter in tree.adapters where selection.accepts(adapter) {
            adapters[adapter.path] = adapter
        }
        var actions = evaluateAdapters(at: now)
        for device in tree.devices { actions += consider(device, in: tree, at: now) }
        daemon = tree.daemon
        return actions + resumeEarlierLinks(in: tree)
    }

    private mutating func interruptAll(
        _ reason: String, in tree: ManagedObjects, at now: BootInstant
    ) -> [Action] {
        // They may still be there when it is the connection that was lost.
        for address in links.own { earlierLinks[address] = daemon }
        defer { links.forgetOwnershipChanges() }
        isAvailable = false
        adapters = [:]
        discoveries = [:]
        paths = [:]
        addresses = [:]
        linkPaths = [:]
        excess = ExcessDevices()
        owners = [:]
        ownedPaths = [:]
        queues = AdapterQueues()
        limits = ConnectionLimits(policy)
        fullAdapters = []
        waitingForConnection = []
        connected = []
        connecting = [:]
        newlyWaiting = []
        var actions: [Action] = []
        for address in links.keys.sorted() {
            actions += move(address, in: tree, at: now) { $0.interrupt(reason, at: now) }
            actions += removeIfGone(address)
        }
        return actions
    }

    private mutating func stop(in tree: ManagedObjects, at now: BootInstant) -> [Action] {
        var actions: [Action] = []
        for address in links.keys.sorted() {
            actions += endIdleLink(to: address, in: tree)
            let last = links.update(address, path: linkPaths[address]) { $0.stop(at: now) }
            actions += translate(last?.result ?? [], of: address, in: tree)
        }
        for path in adapters.keys.sorted() {
            let step = discoveries[path]?.nextStep(
                isWanted: false, isDiscovering: adapters[path]?.isDiscovering, at: now)
            guard let step else { continue }
            actions.append(call(step, on: path))
        }
        limits = ConnectionLimits(policy)
        isAvailable = false
        return actions
    }

    /// Changes the problems, and reports the one to show when it is another one.
    mutating func change(_ body: (inout CentralProblems) -> Void) -> [Action] {
        let old = problems.first
        body(&problems)
        return problems.first == old ? [] : [.output(.problem(problems.first))]
    }
}
