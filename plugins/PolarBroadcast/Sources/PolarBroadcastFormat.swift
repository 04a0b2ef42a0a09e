package import Advertisements
package import Bluetooth
import ByteDecoding
package import GatewayCore
import HealthModel
import JSON
import Readings

/// The heart rate that sensors and watches of Polar broadcast in their advertisements.
///
/// The layout is that of `BlePolarHrAdvertisement` in Polar's SDK (polarofficial/polar-ble-sdk).
package struct PolarBroadcastFormat: AdvertisementFormat {
    /// Polar Electro (Bluetooth Assigned Numbers, §7.1).
    static let company: UInt16 = 0x006B

    /// Makes the format; it has no settings.
    package static let factory = AdvertisementFormatFactory(use: "polarBroadcast", about: about) {
        node, _ throws(ConfigurationError) in
        _ = try node.object(keys: ["use"])
        return PolarBroadcastFormat()
    }

    /// The name in the configuration.
    package let name = "polarBroadcast"
    /// The manufacturer data of Polar.
    package let parts = [AdvertisementPart.manufacturerData(Self.company)]

    /// Makes a decoder, which remembers nothing.
    package func makeDecoder(for address: BluetoothAddress) -> any AdvertisementDecoder {
        PolarBroadcastDecoder()
    }
}

/// Decodes the blocks of Polar's manufacturer data.
struct PolarBroadcastDecoder: AdvertisementDecoder {
    /// The number of values of the frame counter, which a new heart rate advances.
    static let counterModulus: UInt64 = 8
    /// The time in seconds in which the counter cannot have come round: a heart rate is sent about
    /// once a second.
    static let repetitionSeconds = 5.0
    /// The lengths of a heart rate at the end of the data: status, code and the heart rate, which
    /// newer devices also send averaged over a longer time.
    private static let heartRateLengths = 3...4

    func decode(
        _ value: [UInt8], of part: AdvertisementPart
    ) throws(ByteDecodingError) -> AdvertisementDecoding {
        var rest = value[...]
        while let header = rest.first {
            guard header & 0x40 != 0 else { return try heartRate(Array(rest)) }
            // Another block: its length follows.
            guard let length = rest.dropFirst().first.map(Int.init), rest.count >= 2 + length
            else { throw .truncated }
            rest = rest.dropFirst(2 + length)
        }
        return AdvertisementDecoding(drops: [.empty])
    }

    private func heartRate(_ block: [UInt8]) throws(ByteDecodingError) -> AdvertisementDecoding {
        guard block.count >= Self.heartRateLengths.lowerBound else { throw .truncated }
        guard Self.heartRateLengths.contains(block.count), let beats = block.last else {
            throw .unknown
        }
        let packet = AdvertisementPacket(
            UInt32(block[0] >> 2 & 0x07), modulus: Self.counterModulus,
            repetitionSeconds: Self.repetitionSeconds)
        guard beats > 0 else { return AdvertisementDecoding(drops: [.empty], packet: packet) }
        let reading = try Reading.instant(.heartRate, Double(beats), .countPerMinute)
        return AdvertisementDecoding([reading], packet: packet)
    }
}
