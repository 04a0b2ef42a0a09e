/// A value that was left out of a received message because it is malformed.
public struct SkippedValue: Hashable, Sendable {
    /// The path of the object that sent the message; empty for a reply.
    public let sender: String
    /// The arguments and keys that lead to the value: an object path, an interface, a property.
    public let place: [String]

    /// Makes the description of a value that was left out.
    public init(sender: String, place: [String]) {
        self.sender = sender
        self.place = place
    }
}

/// The values of a message without the malformed ones.
struct TolerantBody {
    /// The most places that are listed for a message; all values are counted.
    static let placeLimit = 100

    var values: [BusValue] = []
    var skippedCount = 0
    /// The number of elements that were left out because there were too many values.
    var leftOutCount = 0
    var places: [[String]] = []

    mutating func skip(at place: [String]) {
        skippedCount += 1
        if places.count < Self.placeLimit { places.append(place) }
    }
}
