public import Bluetooth
public import ByteDecoding
public import GatewayCore
public import Readings

/// A decoder for one kind of measurement in Bluetooth LE advertisements.
///
/// A format names the parts of an advertisement that it reads, and turns their data into readings.
/// It does no I/O, except that ``load()`` may read its secrets. The device is never connected.
public protocol AdvertisementFormat: Sendable {
    /// The name of the format in the configuration and in the log: `bthome`.
    var name: String { get }
    /// The parts of an advertisement that it decodes.
    var parts: [AdvertisementPart] { get }

    /// Reads what the format needs from outside, such as keys, before the first device is decoded.
    ///
    /// This may block like any read of a file.
    ///
    /// - Throws: ``GatewayCore/ConfigurationError`` with the cause and a remedy.
    mutating func load() throws(ConfigurationError)

    /// Makes the decoder of one device.
    func makeDecoder(for address: BluetoothAddress) -> any AdvertisementDecoder
}

extension AdvertisementFormat {
    /// Nothing to read.
    public mutating func load() throws(ConfigurationError) {}
}

extension AdvertisementFormat {
    /// Whether an advertisement has a measurement in this format, as far as it can be read without
    /// a key.
    package func recognizes(
        _ advertised: [AdvertisementPart: [UInt8]], of address: BluetoothAddress
    ) -> Bool {
        var decoder = makeDecoder(for: address)
        return parts.contains { part in
            guard let value = advertised[part],
                let decoding = try? decoder.decode(value, of: part)
            else { return false }
            return !decoding.readings.isEmpty || !decoding.drops.contains(.empty)
        }
    }
}

/// The decoder of one device for one format, with what it must remember.
///
/// It is a value, does no I/O and reads no clock. What it keeps must be bounded, whatever is
/// received.
public protocol AdvertisementDecoder: Sendable {
    /// Decodes the data of one of the format's parts.
    ///
    /// It must return or throw for any bytes, without a trap. It is called for data that differs
    /// from the last one, or that is no repetition any more.
    ///
    /// - Parameters:
    ///   - value: The data, without the identifier of the service or manufacturer.
    ///   - part: The part; one of ``AdvertisementFormat/parts``.
    /// - Throws: ``ByteDecoding/ByteDecodingError`` when no part of the data can be used.
    mutating func decode(
        _ value: [UInt8], of part: AdvertisementPart
    ) throws(ByteDecodingError) -> AdvertisementDecoding
}

/// The result of decoding the data of one part of an advertisement.
public struct AdvertisementDecoding: Hashable, Sendable {
    /// The readings, in order.
    public var readings: [Reading]
    /// The pieces of the data that could not be used, each with its reason.
    public var drops: [DropReason]
    /// The number of the packet, if the device counts them.
    public var packet: AdvertisementPacket?

    /// Makes a result from readings, the reasons for what could not be used, and the packet number.
    public init(
        _ readings: [Reading] = [], drops: [DropReason] = [], packet: AdvertisementPacket? = nil
    ) {
        self.readings = readings
        self.drops = drops
        self.packet = packet
    }
}

/// The number of a packet: a device sends each measurement many times.
public struct AdvertisementPacket: Hashable, Sendable {
    /// The number.
    public let number: UInt32
    /// The number of packets after which the number starts again at zero.
    public let modulus: UInt64
    /// The time in seconds for which an equal packet repeats the same measurement, since it was last
    /// received.
    ///
    /// It is shorter than the time in which the number returns to the same value.
    public let repetitionSeconds: Double

    /// Makes a packet number.
    public init(_ number: UInt32, modulus: UInt64, repetitionSeconds: Double) {
        self.number = number
        self.modulus = modulus
        self.repetitionSeconds = repetitionSeconds
    }

    /// Whether it was sent before another packet, by at most a quarter of the modulus.
    func precedes(_ other: AdvertisementPacket) -> Bool {
        guard modulus == other.modulus, modulus > 0, UInt64(number) < modulus,
            UInt64(other.number) < modulus
        else { return false }
        let distance = (UInt64(other.number) + modulus - UInt64(number)) % modulus
        return distance > 0 && distance <= modulus / 4
    }
}
