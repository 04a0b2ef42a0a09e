import Glibc

/// Counts the records in JSON, whatever stands around them; each one once, however often it comes.
///
/// It looks for little and at gigabytes: ids and values are found by the C library. What comes again
/// comes soon, because a sink goes on where it was; so only the last ids are remembered, and one that
/// were missed would show in the sums.
struct RecordTally: Equatable {
    /// What many records come to; those of two places are equal when the records are.
    struct Sums: Equatable {
        var samples = 0
        var events = 0
        var value = 0.0
        /// Of the two halves of all ids.
        var high: UInt64 = 0
        var low: UInt64 = 0
    }

    /// More than is ever sent again.
    private static let memory = 200_000
    private static let idKey = "\"id\":\"".utf8CString.map { $0 }
    private static let valueKey = "\"value\":".utf8CString.map { $0 }
    private static let idLength = 36

    private(set) var sums = Sums()
    /// How many came again.
    private(set) var repeated = 0
    private var recent: Set<UInt64> = []
    private var order: [UInt64] = []
    private var oldest = 0

    /// Counts all records in these bytes, of which none is cut.
    mutating func add(_ bytes: some Sequence<UInt8>) {
        // A zero at the end stops the readers of numbers.
        (Array(bytes) + [0]).withUnsafeBytes { add($0) }
    }

    private mutating func add(_ bytes: UnsafeRawBufferPointer) {
        var place = Self.find(Self.idKey, in: bytes, from: 0)
        while let id = place {
            let next = Self.find(Self.idKey, in: bytes, from: id)
            let value = Self.find(Self.valueKey, in: bytes, from: id).flatMap { place in
                place < next ?? bytes.count ? Self.number(bytes, at: place) : nil
            }
            note(Self.id(bytes, at: id), value: value)
            place = next
        }
    }

    private mutating func note(_ id: (high: UInt64, low: UInt64), value: Double?) {
        let name = id.high &* 31 ^ id.low
        guard recent.insert(name).inserted else {
            repeated += 1
            return
        }
        if order.count < Self.memory {
            order.append(name)
        } else {
            recent.remove(order[oldest])
            order[oldest] = name
            oldest = (oldest + 1) % Self.memory
        }
        sums.add(high: id.high, low: id.low, value: value)
    }

    /// The place behind the next such text; a zero ends the bytes.
    private static func find(
        _ text: [CChar], in bytes: UnsafeRawBufferPointer, from start: Int
    ) -> Int? {
        guard let base = bytes.baseAddress?.assumingMemoryBound(to: CChar.self) else { return nil }
        return strstr(base + start, text).map { (UnsafePointer($0) - base) + text.count - 1 }
    }

    /// The number of a UUID: five groups of hexadecimal digits.
    private static func id(
        _ bytes: UnsafeRawBufferPointer, at place: Int
    ) -> (high: UInt64, low: UInt64) {
        guard place + idLength < bytes.count, let base = bytes.baseAddress else { return (0, 0) }
        func group(_ offset: Int) -> UInt64 {
            UInt64(strtoull((base + place + offset).assumingMemoryBound(to: CChar.self), nil, 16))
        }
        return (
            group(0) << 32 | group(9) << 16 | group(14), group(19) << 48 | group(24)
        )
    }

    private static func number(_ bytes: UnsafeRawBufferPointer, at place: Int) -> Double {
        guard let base = bytes.baseAddress else { return 0 }
        return strtod((base + place).assumingMemoryBound(to: CChar.self), nil)
    }
}

extension RecordTally.Sums {
    /// Adds a record; an event has no value.
    mutating func add(high: UInt64, low: UInt64, value: Double?) {
        if let value {
            samples += 1
            self.value += value
        } else {
            events += 1
        }
        self.high &+= high
        self.low &+= low
    }
}
