import Platform

/// Recognizes data of a device that repeats a measurement, by its content and its packet number,
/// whatever the device sends between the repetitions.
///
/// It remembers the last ``memory`` measurements, and as much other data.
struct RepetitionFilter: Sendable {
    /// The time in seconds for which equal data without a packet number repeats the same
    /// measurement; after it, it is a new one with the same value.
    static let unnumberedSeconds = 60.0
    /// The time in seconds within which a packet is late, or repeats the last one with its number.
    ///
    /// It begins when the last measurement was received for the last time. Another adapter has
    /// received the late packet, too. After this time the device has started again.
    static let lateSeconds = 4.0
    /// The number of measurements that are remembered.
    static let memory = 16

    /// Data that was received.
    private struct Received {
        let value: [UInt8]
        let packet: AdvertisementPacket?
        let first: BootInstant
        var last: BootInstant
    }

    /// The measurements, the latest one last.
    private var measurements: [Received] = []
    /// Data that was no measurement, the latest one last.
    private var others: [Received] = []

    /// Whether data repeats what was received before.
    mutating func isRepetition(_ value: [UInt8], at receipt: BootInstant) -> Bool {
        if let index = measurements.lastIndex(where: { $0.value == value }) {
            let isRepetition = repeats(index, at: receipt)
            if isRepetition { measurements[index].last = receipt }
            return isRepetition
        }
        guard let other = others.last(where: { $0.value == value }) else { return false }
        return receipt.seconds(since: other.first) < Self.unnumberedSeconds
    }

    private func repeats(_ index: Int, at receipt: BootInstant) -> Bool {
        let known = measurements[index]
        if let packet = known.packet {
            return receipt.seconds(since: known.last) < packet.repetitionSeconds
        }
        guard receipt.seconds(since: known.first) < Self.unnumberedSeconds else { return false }
        let isLatest = index == measurements.endIndex - 1
        return isLatest || isCurrent(measurements.last, at: receipt)
    }

    /// Whether data was received a moment ago.
    private func isCurrent(_ known: Received?, at receipt: BootInstant) -> Bool {
        known.map { receipt.seconds(since: $0.last) < Self.lateSeconds } ?? false
    }

    /// Remembers decoded data, unless it is a late packet or one with the number of the last one;
    /// returns whether it is a new measurement.
    mutating func admits(
        _ value: [UInt8], _ packet: AdvertisementPacket?, at receipt: BootInstant
    ) -> Bool {
        if let packet,
            let index = measurements.lastIndex(where: { $0.packet?.modulus == packet.modulus }),
            let last = measurements[index].packet, isCurrent(measurements[index], at: receipt)
        {
            if packet.number == last.number { measurements[index].last = receipt }
            guard packet.number != last.number, !packet.precedes(last) else { return false }
        }
        Self.remember(value, packet, at: receipt, in: &measurements)
        return true
    }

    /// Remembers data that is no measurement.
    mutating func ignore(_ value: [UInt8], at receipt: BootInstant) {
        Self.remember(value, nil, at: receipt, in: &others)
    }

    private static func remember(
        _ value: [UInt8], _ packet: AdvertisementPacket?, at receipt: BootInstant,
        in list: inout [Received]
    ) {
        list.removeAll { $0.value == value }
        if list.count == memory { list.removeFirst() }
        list.append(Received(value: value, packet: packet, first: receipt, last: receipt))
    }
}
