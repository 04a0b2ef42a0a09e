/// One packet of a Zephyr HxM BT, as it is on the line.
///
/// The layout is that of the HxM Bluetooth API Guide, 9700.0031 rev. 1.7: 60 bytes, little endian, once
/// a second.
struct HxMPacket: Hashable, Sendable {
    /// How many bytes a packet has.
    static let size = 60
    /// How many beat times a packet holds.
    static let beatTimeCount = 15
    static let startOfText: UInt8 = 0x02
    static let endOfText: UInt8 = 0x03
    static let identifier: UInt8 = 0x26
    static let payloadSize: UInt8 = 55
    /// Where the payload lies in a packet, which is what the check byte covers.
    static let payload = 3..<58
    static let reservedAfterBeats = 6
    /// The distance counts in these bits, the strides in those; firmwares differ in the rest.
    static let distanceBits: UInt16 = 0x0FFF
    static let strideBits: UInt8 = 0x7F
    static let fastest = 4095

    /// The firmware's number, printed as 9500.nnnn.
    let firmwareIdentifier: UInt16
    /// The firmware's version, two characters.
    let firmwareVersion: String
    /// The hardware's number, printed as 9800.nnnn.
    let hardwareIdentifier: UInt16
    /// The hardware's version, two characters.
    let hardwareVersion: String
    /// The battery's charge in per cent.
    let batteryPercent: UInt8
    /// Beats per minute, 0 when there are none.
    let heartRate: UInt8
    /// The number of the newest beat; after 255 comes 0.
    let beatNumber: UInt8
    /// When the last beats were, newest first, in milliseconds that roll over at 65536.
    let beatTimes: [UInt16]
    /// The distance in sixteenths of a metre; after 4095 comes 0.
    let distance: UInt16
    /// The speed in 1/256 m/s, up to 4095.
    let speed: UInt16
    /// Strides of two steps; after 127 comes 0.
    let strides: UInt8

    /// Reads a packet whose frame has been found whole.
    ///
    /// `nil` when it has another size, or a field says what the guide forbids.
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
            let speed = cursor.readUInt16(), speed <= Self.fastest,
            let strides = cursor.readUInt8()
        else { return nil }
        // Old firmware has a cadence in the reserved bytes that follow; the guide has dropped it.
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
