/// A packet of a Zephyr HxM BT.
///
/// The layout is that of the HxM Bluetooth API Guide, 9700.0031 rev. 1.7: 60 bytes, little endian, once
/// a second.
struct HxMPacket: Hashable, Sendable {
    /// The size of a packet in bytes.
    static let size = 60
    /// The number of beat times in a packet.
    static let beatTimeCount = 15
    static let startOfText: UInt8 = 0x02
    static let endOfText: UInt8 = 0x03
    static let identifier: UInt8 = 0x26
    static let payloadSize: UInt8 = 55
    /// The range of the payload, which the checksum covers.
    static let payload = 3..<58
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
    /// `nil` if its size is wrong or a field is out of the range in the guide.
    init?(_ bytes: ArraySlice<UInt8>) {
        guard bytes.count == Self.size else { return nil }
        var cursor = FieldReader(bytes[(bytes.startIndex + Self.payload.lowerBound)...])
        guard let firmwareIdentifier = cursor.readUInt16(),
            let firmwareVersion = cursor.readPrintable(count: 2),
            let hardwareIdentifier = cursor.readUInt16(),
            let hardwareVersion = cursor.readPrintable(count: 2),
            let batteryPercent = cursor.readUInt8(), batteryPercent <= 100,
            let heartRate = cursor.readUInt8(), heartRate == 0 || (30...240).contains(heartRate),
            let beatNumber = cursor.readUInt8(),
            let beatTimes = cursor.readUInt16s(count: Self.beatTimeCount),
            cursor.skip(Self.reservedAfterBeats),
            let distance = cursor.readUInt16(),
            let speed = cursor.readUInt16(), speed <= Self.maximumSpeed,
            let strides = cursor.readUInt8()
        else { return nil }
        // Old firmware has a cadence in the following reserved bytes; the guide no longer defines it.
        self.firmwareIdentifier = firmwareIdentifier
        self.firmwareVersion = firmwareVersion
        self.hardwareIdentifier = hardwareIdentifier
        self.hardwareVersion = hardwareVersion
        self.batteryPercent = batteryPercent
        self.heartRate = heartRate
        self.beatNumber = beatNumber
        self.beatTimes = beatTimes
        self.distance = distance & Self.distanceBits
        self.speed = speed
        self.strides = strides & Self.strideBits
    }

    /// The intervals between the beats in milliseconds, oldest first.
    var intervals: [UInt32] {
        zip(beatTimes, beatTimes.dropFirst()).map { UInt32($0 &- $1) }.reversed()
    }
}
