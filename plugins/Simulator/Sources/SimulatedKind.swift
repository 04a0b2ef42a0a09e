import HealthModel
import Simulation

/// A kind of simulated devices; the raw value is its key in `devices`.
enum SimulatedKind: String, CaseIterable, Hashable, Sendable {
    /// A Bluetooth strap with the Heart Rate Service.
    case heartRateStrap
    /// A pedometer that prints lines on a serial port.
    case pedometer
    /// A Zephyr HxM BT on a serial port.
    case hxm

    /// The maximum number of devices of this kind in a source.
    ///
    /// A device on a serial port needs five file descriptors, of which a process usually has 1,024.
    var limit: Int {
        switch self {
        case .heartRateStrap: 1_000
        case .pedometer, .hxm: 50
        }
    }

    /// Whether it knows whether it touches the skin.
    var detectsContact: Bool { self != .pedometer }

    fileprivate var word: String { self == .heartRateStrap ? "strap" : rawValue }

    fileprivate var deviceName: String {
        switch self {
        case .heartRateStrap: SimulatedStrap.model
        case .pedometer: "Simulated Pedometer"
        case .hxm: "Simulated HxM"
        }
    }
}

/// A simulated device: its name and local identifier, its seed and its time within a second.
struct SimulatedDevice: Hashable, Sendable {
    /// The beginning of every local identifier, which marks the records of simulated devices.
    static let mark = "simulated-"

    let kind: SimulatedKind
    let device: Device
    let seed: UInt64
    /// The time of its packets within a second: devices do not send at the same moment.
    let phaseSeconds: Double

    /// The local identifier.
    var identifier: String { device.localIdentifier ?? Self.mark }

    /// Makes a device with its index among those of its kind.
    init(_ kind: SimulatedKind, index: Int, group: String?, seed: UInt64) {
        self.kind = kind
        let number = index == 0 ? "" : "-\(index + 1)"
        let place = group.map { "\($0)-" } ?? ""
        device = Device(
            name: kind.deviceName + (index == 0 ? "" : " \(index + 1)"),
            localIdentifier: "\(Self.mark)\(place)\(kind.word)\(number)")
        self.seed = seed &+ UInt64(index) &* 0x9E37_79B9_7F4A_7C15
        // The multiples of the golden ratio are spread evenly, however many there are.
        phaseSeconds = (Double(index) * 0.618_033_988_75).truncatingRemainder(dividingBy: 1)
    }
}
