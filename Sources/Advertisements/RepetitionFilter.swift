import Platform

/// Recognizes data of a device that repeats a measurement, by its content and its packet number.
struct RepetitionFilter: Sendable {
    /// The time in seconds for which equal data without a packet number repeats the same
    /// measurement; after it, it is a new one with the same value.
    static let unnumberedSeconds = 60.0
    /// The time in seconds within which a lower packet number is that of a late packet.
    ///
    /// Another adapter has received it, too. After this time the device has started again.
    static let lateSeconds = 4.0

    /// Data with the time of its receipt.
    private struct Received {
        let value: [UInt8]
        let receipt: BootInstant
    }

    private var last: Received?
    /// What was received before it.
    private var previous: Received?
    private var packet: AdvertisementPacket?

    /// Whether data repeats the last measurement.
    ///
    /// Otherwise it becomes the last one.
    mutating func isRepetition(_ value: [UInt8], at receipt: BootInstant) -> Bool {
        if let last, last.value == value {
            let limit = packet?.repetitionSeconds ?? Self.unnumberedSeconds
            if receipt.seconds(since: last.receipt) < limit { return true }
        }
        previous = last
        last = Received(value: value, receipt: receipt)
        return false
    }

    /// Whether the packet of the last data is no late one.
    mutating func admits(_ new: AdvertisementPacket?, at receipt: BootInstant) -> Bool {
        if let new, let packet, let previous, new.precedes(packet),
            receipt.seconds(since: previous.receipt) < Self.lateSeconds
        {
            last = previous
            return false
        }
        packet = new
        return true
    }
}
