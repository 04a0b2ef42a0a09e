package import GatewayCore
package import Platform

/// A problem that affects all devices.
package enum CentralProblem: Hashable, Sendable {
    /// bluetoothd or the bus is unavailable.
    case bluetoothd(LinkError)
    /// There is no adapter, or the configured one is missing.
    case noAdapter(named: String?)
    /// The usable adapters are powered off.
    case adapterOff(String)
    /// An adapter does not discover devices.
    case discovery(adapter: String, Discovery.Failure)
    /// This many devices wait because the adapters that receive them have no free connection.
    case noFreeConnection(adapters: [String], links: Int, waiting: Int)
    /// More devices are in range than a source reads with `devices: "any"`, by this number.
    case tooManyDevices(more: Int, limit: Int)
    /// bluetoothd has more objects than are used; this many were ignored.
    case tooManyObjects(ignored: Int)

    /// What is wrong.
    package var problem: String { error(radioBlock: nil).problem }

    /// The error with its remedy; `radioBlock` is the kernel's rfkill state.
    package func error(radioBlock: RadioBlock?) -> LinkError {
        switch self {
        case .bluetoothd(let error): return error
        case .noAdapter(let name):
            let which =
                name.map { "Bluetooth adapter \($0) not found" } ?? "no Bluetooth adapter found"
            return LinkError(which, remedy: "plug it in and check with `bluetoothctl list`")
        case .adapterOff(let name):
            switch radioBlock {
            case .bySwitch:
                return LinkError(
                    "Bluetooth adapter \(name) is blocked by a hardware switch",
                    remedy: "turn on the wireless switch of the computer")
            case .bySoftware:
                return LinkError(
                    "Bluetooth adapter \(name) is blocked by rfkill",
                    remedy: Remedy(
                        "unblock it", run: ["rfkill", "unblock", "bluetooth"],
                        ["bluetoothctl", "power", "on"]))
            case nil:
                return LinkError(
                    "Bluetooth adapter \(name) is powered off",
                    remedy: .turnOnAdapter)
            }
        case .discovery(let adapter, let failure):
            return LinkError(
                "Bluetooth adapter \(adapter) does not discover devices: \(failure.reason), "
                    + "\(failure.count) attempts",
                remedy: .restartBluetooth)
        case .noFreeConnection(let adapters, let links, let waiting):
            let names = adapters.joined(separator: ", ")
            let subject = adapters.count == 1 ? "adapter \(names) is" : "adapters \(names) are"
            return LinkError(
                "Bluetooth \(subject) full with \(links) \(links == 1 ? "link" : "links")"
                    + "\(Self.waitingDevices)\(waiting)",
                remedy: "add a Bluetooth adapter, or read fewer devices")
        case .tooManyDevices(let more, let limit):
            return LinkError(
                "a source reads at most \(limit) devices with `devices: \"any\"`, "
                    + "and \(more) more are in range",
                remedy: "name the devices in `devices`, or those of others in `deny`")
        case .tooManyObjects(let ignored):
            return LinkError(
                "bluetoothd has more objects than are used; ignored: \(ignored)",
                remedy: .restartBluetooth)
        }
    }
}

extension CentralProblem {
    /// The words before the number of devices that wait for a connection.
    private static let waitingDevices = "; devices that wait: "

    /// Whether the reason that a source gives in the status is ``noFreeConnection(adapters:links:waiting:)``.
    package static func isShortage(_ reason: String) -> Bool {
        reason.contains(text: waitingDevices)
    }
}

/// The problems of a source, one of each kind.
struct CentralProblems: Sendable {
    /// bluetoothd or the adapters cannot be used.
    var radio: CentralProblem?
    /// An adapter does not discover devices.
    var discovery: CentralProblem?
    /// The adapters have no free connection.
    var connections: CentralProblem?
    /// There are too many devices or objects.
    var capacity: CentralProblem?

    /// The problem to show: the one that affects most devices.
    var first: CentralProblem? { radio ?? discovery ?? connections ?? capacity }
}

extension CentralProblem {
    /// The kinds of problems; each has its messages in the log.
    package enum Kind: Hashable, Sendable {
        case radio, discovery, connections, capacity
    }

    package var kind: Kind {
        switch self {
        case .bluetoothd, .noAdapter, .adapterOff: .radio
        case .discovery: .discovery
        case .noFreeConnection: .connections
        case .tooManyDevices, .tooManyObjects: .capacity
        }
    }

    /// How often it has happened; nil when that is not counted.
    var count: Int? {
        switch self {
        case .bluetoothd, .noAdapter, .adapterOff: nil
        case .discovery(_, let failure): failure.count
        case .noFreeConnection(_, _, let waiting): waiting
        case .tooManyDevices(let more, _): more
        case .tooManyObjects(let ignored): ignored
        }
    }
}

extension ManagedObjects {
    /// The problem that objects were ignored; nil when all are used.
    package var excess: CentralProblem? {
        ignoredCount > 0 ? .tooManyObjects(ignored: ignoredCount) : nil
    }
}
