public import GatewayCore
public import HealthModel

/// What understands one GATT service: heart rate, running speed, weight.
///
/// A profile names what to subscribe to and what to read once, and turns values into readings. It
/// has no state and no input or output: ``GATTAdapter`` makes a device adapter of it, which also
/// knows the battery and the device's make, so a profile need not.
///
/// The make is read before anything is subscribed to, so that it is usually known when the first
/// notification comes. A device may be slow to tell it, or not tell it at all.
public protocol GATTProfile: Sendable {
    /// The word for it in the configuration and in the log: `heartRate`.
    var name: String { get }
    /// The service that a device must offer.
    var service: BluetoothUUID { get }
    /// The characteristics whose notifications or indications it wants.
    var subscriptions: [BluetoothUUID] { get }
    /// The characteristics to read once after the link is opened. A device may lack any of them.
    var reads: [BluetoothUUID] { get }
    /// After how many seconds without a measurement a connected device counts as stale; `nil` when it
    /// may be silent.
    var silenceLimitSeconds: Double? { get }

    /// Says what a value of one of its characteristics means.
    ///
    /// It must come to an end without a trap for any bytes whatever.
    ///
    /// - Parameters:
    ///   - value: The whole value.
    ///   - characteristic: What it is a value of; one of ``subscriptions`` or ``reads``.
    ///   - device: What the device has said about its make so far. Most profiles do not look at it;
    ///     it is for devices that are known to depart from the specification.
    /// - Throws: ``GATTDecodingError`` when nothing of the value can be used. Where a part can be,
    ///   return it with the reasons for the rest in ``GATTDecoding/drops``.
    func decode(
        _ value: [UInt8], of characteristic: BluetoothUUID, from device: Device
    ) throws(GATTDecodingError) -> GATTDecoding
}

extension GATTProfile {
    /// Nothing, unless a profile says otherwise.
    public var reads: [BluetoothUUID] { [] }

    /// Most devices may be silent.
    public var silenceLimitSeconds: Double? { nil }
}

/// What came of one value of a characteristic.
public struct GATTDecoding: Hashable, Sendable {
    /// What the device said, in order.
    public var readings: [Reading]
    /// The parts of the value that could not be used, each with its reason.
    public var drops: [DropReason]
    /// What to write to the device in answer, in order.
    ///
    /// A device need not offer the characteristic, and may refuse the value: then nothing comes of
    /// it, and nobody is told. A profile has no memory and so may ask again with every value;
    /// ``GATTAdapter`` passes on what is the same only once a minute.
    public var writes: [GATTWrite]

    /// Makes a result from readings, the reasons for what could not be used, and what to write.
    public init(
        _ readings: [Reading] = [], drops: [DropReason] = [], writes: [GATTWrite] = []
    ) {
        self.readings = readings
        self.drops = drops
        self.writes = writes
    }
}

/// A value to write to a characteristic, with response.
public struct GATTWrite: Hashable, Sendable {
    /// Where to write.
    public let characteristic: BluetoothUUID
    /// The whole value.
    public let bytes: [UInt8]

    /// Makes a write of a value to a characteristic.
    public init(_ bytes: [UInt8], to characteristic: BluetoothUUID) {
        self.bytes = bytes
        self.characteristic = characteristic
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
