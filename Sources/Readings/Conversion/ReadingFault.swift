/// The reason why a reading does not become a record.
///
/// The raw values are used in the journal, in logs and in `status`.
public enum ReadingFault: String, CaseIterable, Hashable, Sendable {
    /// The value is out of the plausible range of its type.
    case implausible
    /// The unit is not one of the type.
    case wrongUnit
    /// A value at one moment of a cumulative type, or a counter of a discrete one.
    case wrongKind
    /// The value is infinite or not a number.
    case notFinite
    /// The type is not declared.
    case unknownType
    /// The type has the name of a declared one, but another definition.
    case foreignType
    /// The device's time of the measurement is too far in the past or in the future.
    case outOfTime
    /// The device has already sent the measurement.
    case duplicate
    /// The record is of a person who is not known, or one of its samples is of another person.
    case unknownPerson
    /// The adapter has reported more than its limit.
    case flood
}

/// The counts of readings that became no record, by reason and stream.
///
/// A stream is named after its quantity type, or `battery`.
public struct ReadingFaults: Hashable, Sendable {
    /// A reason and a stream.
    public struct Key: Hashable, Sendable {
        /// The reason.
        public let fault: ReadingFault
        /// The name of the stream.
        public let stream: String
    }

    /// The counts; few enough that a linear search is faster than a dictionary.
    public private(set) var counts: [(key: Key, count: Int)] = []

    /// Makes empty counts.
    public init() {}

    /// Whether there are none.
    public var isEmpty: Bool { counts.isEmpty }

    /// The number of all faults.
    public var total: Int { counts.reduce(0) { $0 + $1.count } }

    /// Returns the number of faults with a reason.
    public subscript(fault: ReadingFault) -> Int {
        counts.reduce(0) { $1.key.fault == fault ? $0 + $1.count : $0 }
    }

    /// Adds faults of a stream.
    public mutating func add(_ fault: ReadingFault, of stream: String, count: Int = 1) {
        add(Key(fault: fault, stream: stream), count: count)
    }

    /// Adds faults; true if they are the first of their reason and stream.
    @discardableResult
    package mutating func add(_ key: Key, count: Int) -> Bool {
        if let index = counts.firstIndex(where: { $0.key == key }) {
            counts[index].count += count
            return false
        }
        counts.append((key, count))
        return true
    }

    /// Adds other counts to these.
    package mutating func add(_ other: ReadingFaults) {
        for (key, count) in other.counts { add(key, count: count) }
    }

    /// Whether both have the same counts in the same order.
    public static func == (left: ReadingFaults, right: ReadingFaults) -> Bool {
        left.counts.elementsEqual(right.counts) { $0 == $1 }
    }

    /// Hashes the counts.
    public func hash(into hasher: inout Hasher) {
        for (key, count) in counts {
            hasher.combine(key)
            hasher.combine(count)
        }
    }
}
