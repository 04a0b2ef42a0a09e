/// The notifications of all straps in a round; the value of a line identifies its notification.
struct StrapBeats {
    /// The number of straps.
    static let straps = 20
    /// The duration of a round; each strap notifies once a second.
    static let seconds = 10
    /// The time between two notifications.
    static let nanosecondsBetween = Int64(1_000_000_000) / Int64(straps)

    /// A strap and a heart rate, unique in a round.
    struct Beat: Hashable {
        let strap: Int
        let heartRate: Int
    }

    /// All notifications of a round, in order.
    let beats: [Beat]

    init(round: Int) {
        beats = (0..<Self.straps * Self.seconds).map { number in
            // The value differs from that of the previous round.
            let heartRate = 60 + (round % 2) * Self.seconds + number / Self.straps
            return Beat(strap: number % Self.straps, heartRate: heartRate)
        }
    }

    /// The address of a strap.
    static func address(_ strap: Int) -> String {
        "D0:11:22:33:44:\(strap + 10)"
    }

    /// The Heart Rate Measurement of a beat: skin contact and an 8-bit value.
    static func value(_ beat: Beat) -> [UInt8] { [0x06, UInt8(beat.heartRate)] }

    /// The beat in a line of JSON; nil for other lines.
    static func beat(of line: ArraySlice<UInt8>) -> Beat? {
        guard find("\"type\":\"heartRate\"", in: line) != nil,
            let value = number(after: "\"value\":", in: line),
            let strap = number(after: "\"localIdentifier\":\"D0:11:22:33:44:", in: line)
        else { return nil }
        return Beat(strap: strap - 10, heartRate: value)
    }

    /// The number after a text; nil when it is not there.
    static func number(after text: StaticString, in line: ArraySlice<UInt8>) -> Int? {
        guard let end = find(text, in: line) else { return nil }
        let digits = line[end...].prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        return Int(String(decoding: digits, as: UTF8.self))
    }

    /// The end of a text in a line.
    private static func find(_ text: StaticString, in line: ArraySlice<UInt8>) -> Int? {
        let wanted = UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
        guard line.count >= wanted.count else { return nil }
        for start in line.startIndex...(line.endIndex - wanted.count)
        where line[start] == wanted[0] && line[start..<start + wanted.count].elementsEqual(wanted) {
            return start + wanted.count
        }
        return nil
    }
}
