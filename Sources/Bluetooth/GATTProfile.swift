public import GatewayCore

/// What understands one GATT service: heart rate, running speed, weight.
///
/// A profile names what to subscribe to and what to read once, and turns values into readings. It
/// has no state and no input or output: ``GATTAdapter`` makes a device adapter of it, which also
/// knows the battery and the device's make, so a profile need not.
public protocol GATTProfile: Sendable {
    /// The word for it in the configuration and in the log: `heartRate`.
    var name: String { get }
    /// The service that a device must offer.
    var service: BluetoothUUID { get }
    /// The characteristics whose notifications or indications it wants.
    var subscriptions: [BluetoothUUID] { get }
    /// The characteristics to read once after the link is opened. A device may lack any of them.
    var reads: [BluetoothUUID] { get }

    /// Says what a value of one of its characteristics means.
    ///
    /// It must come to an end without a trap for any bytes whatever.
    ///
    /// - Throws: ``GATTDecodingError`` when nothing of the value can be used. Where a part can be,
    ///   return it with the reasons for the rest in ``GATTDecoding/drops``.
    func decode(
        _ value: [UInt8], of characteristic: BluetoothUUID
    ) throws(GATTDecodingError) -> GATTDecoding
}

extension GATTProfile {
    /// Nothing, unless a profile says otherwise.
    public var reads: [BluetoothUUID] { [] }
}

/// What came of one value of a characteristic.
public struct GATTDecoding: Hashable, Sendable {
    /// What the device said, in order.
    public var readings: [Reading]
    /// The parts of the value that could not be used, each with its reason.
    public var drops: [DropReason]

    /// Makes a result from readings and the reasons for what could not be used.
    public init(_ readings: [Reading] = [], drops: [DropReason] = []) {
        self.readings = readings
        self.drops = drops
    }
}

/// Why nothing of a characteristic's value can be used.
public enum GATTDecodingError: Error, Hashable, CustomStringConvertible {
    /// It ends before what it announces.
    case truncated
    /// It says something that the service's specification forbids.
    case invalid
    /// The profile does not know this characteristic.
    case unknownCharacteristic

    /// The reason under which it is counted.
    public var dropReason: DropReason {
        switch self {
        case .truncated: .damaged
        case .invalid: .invalid
        case .unknownCharacteristic: .unknown
        }
    }

    /// What is wrong, without the value.
    public var description: String {
        switch self {
        case .truncated: "the value ends before what it announces"
        case .invalid: "the value says something that the service's specification forbids"
        case .unknownCharacteristic: "the characteristic is not one of this profile"
        }
    }
}
