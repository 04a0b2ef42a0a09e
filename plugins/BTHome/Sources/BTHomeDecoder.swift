import Advertisements
import Bluetooth
import ByteDecoding
import HealthModel
import Readings

/// Decodes the service data of one BTHome device.
struct BTHomeDecoder: AdvertisementDecoder {
    /// The number of packet numbers.
    static let packetModulus: UInt64 = 256
    /// The number of counters of encrypted packets.
    static let counterModulus: UInt64 = 1 << 32
    /// The time in seconds for which a packet with the same number and content is the same one: a
    /// sensor may send one until its next measurement.
    static let packetSeconds = 3_600.0

    /// The version of the format, in the highest bits of the information byte.
    private static let version: UInt8 = 2

    /// The quantity types of the values, by their names.
    let types: [String: QuantityType]
    /// The address of the device, in the order in which it is written.
    let address: [UInt8]
    /// Its encryption; nil for a device without a key.
    var encryption: BTHomeEncryption?

    mutating func decode(
        _ value: [UInt8], of part: AdvertisementPart
    ) throws(ByteDecodingError) -> AdvertisementDecoding {
        guard let information = value.first else { throw .truncated }
        guard information >> 5 == Self.version else { throw .unknown }
        var rest = value.dropFirst()
        var address = address
        // The address of the sensor, when another device has sent the data for it.
        if information & 0x02 != 0 {
            guard rest.count >= address.count else { throw .truncated }
            address = rest.prefix(address.count).reversed()
            rest = rest.dropFirst(address.count)
        }
        guard information & 0x01 != 0 else {
            // Anybody could send it in the name of a device that encrypts.
            guard encryption == nil else { throw .invalid }
            return try decode(BTHomeData(objects: rest))
        }
        let packet = try encryption?.decrypt(rest, information: information, address: address)
        guard let packet else { return AdvertisementDecoding(drops: [.encrypted]) }
        guard !packet.isRepetition else { return AdvertisementDecoding() }
        var decoding = try decode(BTHomeData(objects: packet.objects[...]))
        decoding.packet = AdvertisementPacket(
            packet.counter, modulus: Self.counterModulus, repetitionSeconds: Self.packetSeconds)
        return decoding
    }

    private func decode(_ data: BTHomeData) throws(ByteDecodingError) -> AdvertisementDecoding {
        var decoding = AdvertisementDecoding(drops: data.hasUnknown ? [.unknown] : [])
        let seconds = data.entries.first { $0.id == BTHomeObject.timestamp }
            .map { $0.number(isSigned: false) }
        let measured = seconds.map {
            MeasurementTime(.utc(Instant(nanosecondsSince1970: $0 * 1_000_000_000)))
        }
        var counts: [String: Int] = [:]
        for entry in data.entries {
            if entry.id == BTHomeObject.packet {
                decoding.packet = AdvertisementPacket(
                    UInt32(entry.bytes[0]), modulus: Self.packetModulus,
                    repetitionSeconds: Self.packetSeconds)
            } else if let reading = state(entry) {
                decoding.readings.append(reading)
            } else if let number = BTHomeObject.all[entry.id]?.number {
                counts[number.name, default: 0] += 1
                let count = counts[number.name] ?? 1
                let name = count == 1 ? number.name : "\(number.name)\(count)"
                guard let type = types[name] else { continue }
                decoding.readings.append(try reading(type, number, entry, measured))
            }
        }
        return decoding
    }

    /// The battery and the firmware.
    private func state(_ entry: BTHomeData.Entry) -> Reading? {
        if entry.id == BTHomeObject.battery {
            let percent = Double(entry.number(isSigned: false))
            return percent <= 100 ? .state(.battery(percent / 100)) : nil
        }
        guard BTHomeObject.firmwares.contains(entry.id) else { return nil }
        let version = entry.bytes.reversed().map { "\($0)" }.joined(separator: ".")
        return .identity(Device(firmwareVersion: version))
    }

    private func reading(
        _ type: QuantityType, _ number: BTHomeObject.Number, _ entry: BTHomeData.Entry,
        _ measured: MeasurementTime?
    ) throws(ByteDecodingError) -> Reading {
        let value = Double(entry.number(isSigned: number.isSigned))
        guard type.aggregationStyle == .cumulative else {
            return try .instant(type, number.value(value), number.unit, measured: measured)
        }
        let end = Double(UInt64(1) << UInt64(8 * entry.bytes.count))
        return .counter(
            CounterReading(
                type, value: value, range: number.isSigned ? .unbounded : .rollsOver(at: end),
                unit: number.unit, countsPerUnit: number.countsPerUnit, measured: measured))
    }
}
