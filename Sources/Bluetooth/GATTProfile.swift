public import ByteDecoding
import GatewayCore
public import HealthModel
public import Readings

/// A decoder for one GATT service: heart rate, running speed, weight.
///
/// A profile names what to subscribe to and what to read once, and turns values into readings. It
/// has no state and does no I/O: ``GATTAdapter`` makes a device adapter of it and handles the
/// battery and the device information. A profile whose values depend on earlier ones is a
/// ``StatefulGATTProfile``.
///
/// The device information is read before subscribing, so it is usually known when the first
/// notification arrives. A device may be slow to provide it, or not provide it at all.
public protocol GATTProfile: Sendable {
    /// The name of the profile in the configuration and in the log: `heartRate`.
    var name: String { get }
    /// The GATT service that a device must offer.
    var service: BluetoothUUID { get }
    /// The characteristics to subscribe to, by notification or indication.
    var subscriptions: [BluetoothUUID] { get }
    /// The characteristics to read once after the link is opened. A device may lack any of them.
    var reads: [BluetoothUUID] { get }
    /// The time in seconds without a measurement after which a connected device counts as stale;
    /// nil when it may be silent.
    var silenceLimitSeconds: Double? { get }

    /// Decodes a value of one of its characteristics.
    ///
    /// It must return or throw for any bytes, without a trap.
    ///
    /// - Parameters:
    ///   - value: The whole value.
    ///   - characteristic: The characteristic of the value; one of ``subscriptions`` or ``reads``.
    ///   - device: The device information known so far. Most profiles ignore it; it is for devices
    ///     that are known to violate the specification.
    /// - Throws: ``ByteDecodingError`` when no part of the value can be used. Where a part can be
    ///   used, return it with the reasons for the rest in ``GATTDecoding/drops``.
    func decode(
        _ value: [UInt8], of characteristic: BluetoothUUID, from device: Device
    ) throws(ByteDecodingError) -> GATTDecoding
}

extension GATTProfile {
    /// No reads by default.
    public var reads: [BluetoothUUID] { [] }

    /// No limit by default: most devices may be silent.
    public var silenceLimitSeconds: Double? { nil }
}

/// The result of decoding one value of a characteristic.
public struct GATTDecoding: Hashable, Sendable {
    /// The readings, in order.
    public var readings: [Reading]
    /// The parts of the value that could not be used, each with its reason.
    public var drops: [DropReason]
    /// The values to write to the device in response, in order.
    ///
    /// A device need not offer the characteristic, and may reject the value; both are ignored. A
    /// profile has no state and may request the same write with every value; ``GATTAdapter``
    /// repeats it at most once a minute, and a persistent one until the device accepts it.
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
    /// The characteristic to write to.
    public let characteristic: BluetoothUUID
    /// The whole value.
    public let bytes: [UInt8]
    /// Whether the value is written later when it was written less than a minute ago, and again a
    /// minute after the device has rejected it.
    ///
    /// Without it such a write is left out, which suits a profile that requests it with every value.
    public let isPersistent: Bool

    /// Makes a write of a value to a characteristic.
    public init(
        _ bytes: [UInt8], to characteristic: BluetoothUUID, isPersistent: Bool = false
    ) {
        self.bytes = bytes
        self.characteristic = characteristic
        self.isPersistent = isPersistent
    }
}

extension ByteDecodingError {
    /// The reason under which a value that cannot be decoded is counted.
    public var dropReason: DropReason {
        switch self {
        case .truncated: .damaged
        case .invalid: .invalid
        case .unknown: .unknown
        }
    }
}
