import ByteDecoding

/// A packet of a Zephyr HxM BT.
///
/// The layout is that of the HxM Bluetooth API Guide, 9700.0031 rev. 1.7: 60 bytes, little endian, once
/// a second.
struct HxMPacket: Hashable, Sendable {
    /// The size of a packet in bytes.
    static let size = 60
    /// The number of beat times in a packet.
    static let beatTimeCount = 15
    /// The framing: 02 26 37, 55 bytes of payload, their CRC, 03.
    static let layout = FrameLayout(
        start: [0x02, 0x26, 0x37], length: .fixed(size), end: [0x03],
        check: .crc(.crc8Maxim, from: payloadOffset))
    private static let payloadOffset = 3
    static let reservedAfterBeats = 6
    /// The used bits of distance and strides; the others differ between firmware versions.
    static let distanceBits: UInt16 = 0x0FFF
    static let strideBits: UInt8 = 0x7F
    static let maximumSpeed = 4095

    /// The firmware number, printed as 9500.nnnn.
    let firmwareIdentifier: UInt16
    /// The firmware's version, two characters.
    let firmwareVersion: String
    /// The hardware number, printed as 9800.nnnn.
    let hardwareIdentifier: UInt16
    /// The hardware's version, two characters.
    let hardwareVersion: String
    /// The battery level in percent.
    let batteryPercent: UInt8
    /// The heart rate in beats per minute; 0 if none was detected.
    let heartRate: UInt8
    /// The number of the newest beat; rolls over at 256.
    let beatNumber: UInt8
    /// The times of the last beats in milliseconds, newest first; rolls over at 65536.
    let beatTimes: [UInt16]
    /// The distance in sixteenths of a metre; rolls over at 4096.
    let distance: UInt16
    /// The speed in 1/256 m/s, up to 4095.
    let speed: UInt16
    /// The strides of two steps; rolls over at 128.
    let strides: UInt8

    /// Parses a framed packet.
    ///
    /// - Throws: ``ByteDecodingError`` when its size is wrong or a field is out of the range in the guide.
    init(_ bytes: ArraySlice<UInt8>) throws(ByteDecodingError) {
        guard bytes.count == Self.size else { throw .truncated }
        var reader = ByteReader(Array(bytes.dropFirst(Self.payloadOffset)))
        firmwareIdentifier = try reader.uint16()
        firmwareVersion = try reader.printable(count: 2)
        hardwareIdentifier = try reader.uint16()
        hardwareVersion = try reader.printable(count: 2)
        batteryPercent = try reader.uint8()
        heartRate = try reader.uint8()
        beatNumber = try reader.uint8()
        var times: [UInt16] = []
        for _ in 0..<Self.beatTimeCount { times.append(try reader.uint16()) }
        beatTimes = times
        try reader.skip(Self.reservedAfterBeats)
        distance = try reader.uint16() & Self.distanceBits
        speed = try reader.uint16()
        // Old firmware has a cadence in the following reserved bytes; the guide no longer defines it.
        strides = try reader.uint8() & Self.strideBits
        guard batteryPercent <= 100, heartRate == 0 || (30...240).contains(heartRate),
            speed <= Self.maximumSpeed
        else { throw .invalid }
    }

    /// The intervals between the beats in milliseconds, oldest first.
    var intervals: [UInt32] {
        zip(beatTimes, beatTimes.dropFirst()).map { UInt32($0 &- $1) }.reversed()
    }
}

extension ByteReader {
    /// Reads visible ASCII characters.
    fileprivate mutating func printable(count: Int) throws(ByteDecodingError) -> String {
        let bytes = try bytes(count)
        guard bytes.allSatisfy({ (0x21...0x7E).contains($0) }) else { throw .invalid }
        return String(decoding: bytes, as: UTF8.self)
    }
}
