public import ByteDecoding
public import HealthModel
public import Platform

/// A GATT profile whose values depend on earlier ones: revolutions that become a cadence, a record
/// that is sent in several parts.
///
/// ``GATTAdapter`` makes a decoder for every link, so no state outlives a connection. A link of the
/// same device that is made again gets a new decoder.
public protocol StatefulGATTProfile: GATTProfile {
    /// Makes the decoder of one link.
    func makeDecoder() -> any GATTDecoder
}

/// The decoder of one link for one profile, with what it must remember.
///
/// It is a value, does no I/O and reads no clock. What it keeps must be bounded, whatever the device
/// sends.
public protocol GATTDecoder: Sendable {
    /// When to call ``wake(at:)``, such as when a measurement is overdue; nil, the default, for never.
    var wakeTime: BootInstant? { get }

    /// Decodes a value of one of the profile's characteristics.
    ///
    /// It must return or throw for any bytes, without a trap.
    ///
    /// - Parameters:
    ///   - value: The whole value.
    ///   - characteristic: The characteristic of the value.
    ///   - device: The device information known so far.
    ///   - receipt: When the host received the value.
    /// - Throws: ``ByteDecodingError`` when no part of the value can be used.
    mutating func decode(
        _ value: [UInt8], of characteristic: BluetoothUUID, from device: Device,
        at receipt: BootInstant
    ) throws(ByteDecodingError) -> GATTDecoding

    /// Handles that ``wakeTime`` has come, and sets a later one or none.
    mutating func wake(at now: BootInstant) -> GATTDecoding
}

extension GATTDecoder {
    /// Never by default.
    public var wakeTime: BootInstant? { nil }

    /// Nothing by default.
    public mutating func wake(at now: BootInstant) -> GATTDecoding { GATTDecoding() }
}

extension StatefulGATTProfile {
    /// Decodes a value as the first one of a link.
    public func decode(
        _ value: [UInt8], of characteristic: BluetoothUUID, from device: Device
    ) throws(ByteDecodingError) -> GATTDecoding {
        var decoder = makeDecoder()
        return try decoder.decode(
            value, of: characteristic, from: device, at: BootInstant(nanoseconds: 0))
    }
}

/// The decoder of a profile without state.
struct StatelessGATTDecoder: GATTDecoder {
    let profile: any GATTProfile

    func decode(
        _ value: [UInt8], of characteristic: BluetoothUUID, from device: Device,
        at receipt: BootInstant
    ) throws(ByteDecodingError) -> GATTDecoding {
        try profile.decode(value, of: characteristic, from: device)
    }
}

extension GATTProfile {
    /// The decoder for a new link.
    package func makeLinkDecoder() -> any GATTDecoder {
        (self as? any StatefulGATTProfile)?.makeDecoder() ?? StatelessGATTDecoder(profile: self)
    }
}
