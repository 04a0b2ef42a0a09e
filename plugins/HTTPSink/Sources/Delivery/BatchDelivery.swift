import GatewayCore
import Glibc

/// How far the delivery of a batch has come, and which piece of it is sent next.
///
/// A piece that the server refuses is halved until single records are left, so a record that is refused
/// among n costs at most 1 + 2·log2(n) requests. Pieces go in the order of the records: what is
/// settled is always the beginning.
///
/// It outlives a failure in the middle. Whoever comes again with the same batch, with the beginning of it
/// or with a longer one goes on where it was: nothing that is settled is sent again, and what was under way
/// is sent as the same piece.
struct BatchDelivery {
    /// A record that the server will not take.
    struct Refusal: Equatable {
        /// Its place in the batch.
        var index: Int
        /// The status of the answer; nil for a line that is no record and was not sent.
        let status: Int?
        /// The text of the answer.
        let answer: String
    }

    private(set) var lines: RecordLines
    /// In the order of the records.
    private(set) var refusals: [Refusal] = []
    /// What is to be sent, the next piece last.
    private var pending: [Range<Int>]

    init(_ lines: RecordLines) {
        self.lines = lines
        pending = lines.isEmpty ? [] : [0..<lines.count]
    }

    /// Whether this is the delivery of that batch, too; a longer batch is then taken over.
    mutating func goesOn(with batch: RecordLines) -> Bool {
        let (short, long) = batch.count < lines.count ? (batch, lines) : (lines, batch)
        guard !short.isEmpty, short.bytes.count == long[short.count - 1].endIndex,
            Self.isEqual(short.bytes, long.bytes, count: short.bytes.count)
        else { return false }
        if batch.count > lines.count {
            pending.insert(lines.count..<batch.count, at: 0)
            lines = batch
        }
        return true
    }

    /// The piece that is sent next, of the first `count` records; nil when all of them are settled.
    mutating func next(ofFirst count: Int) -> Range<Int>? {
        guard let piece = pending.last, piece.lowerBound < count else { return nil }
        guard piece.upperBound > count else { return piece }
        pending[pending.count - 1] = count..<piece.upperBound
        pending.append(piece.lowerBound..<count)
        return pending.last
    }

    /// The next piece is dealt with, but for these places in it, counted from 0, which are no records.
    mutating func settle(unreadable: [Int]) {
        guard let piece = pending.popLast() else { return }
        refusals += unreadable.map { offset in
            Refusal(index: piece.lowerBound + offset, status: nil, answer: "no record")
        }
    }

    /// The server refuses the next piece.
    ///
    /// - Returns: Whether that was a single record, which is refused for good.
    mutating func refuse(status: Int, answer: String) -> Bool {
        guard let piece = pending.popLast() else { return false }
        guard piece.count > 1 else {
            refusals.append(Refusal(index: piece.lowerBound, status: status, answer: answer))
            return true
        }
        let middle = piece.lowerBound + piece.count / 2
        pending.append(middle..<piece.upperBound)
        pending.append(piece.lowerBound..<middle)
        return false
    }

    /// Takes back the last refusals, so many at most: the first of them is tried again, alone.
    mutating func reopen(last count: Int) {
        let answered = refusals.indices.filter { refusals[$0].status != nil }.suffix(count)
        guard let first = answered.first, let last = refusals.last else { return }
        let start = refusals[first].index
        let end = pending.last?.lowerBound ?? max(last.index + 1, lines.count)
        refusals.removeSubrange(first...)
        if start + 1 < end { pending.append(start + 1..<end) }
        pending.append(start..<start + 1)
    }

    /// Lets go of the first `count` records, which are settled; nil when there are no others.
    func withoutFirst(_ count: Int) -> BatchDelivery? {
        guard count < lines.count else { return nil }
        var rest = BatchDelivery(lines[count..<lines.count])
        rest.pending = pending.map { $0.lowerBound - count..<$0.upperBound - count }
        rest.refusals = refusals.filter { $0.index >= count }.map { refusal in
            var refusal = refusal
            refusal.index -= count
            return refusal
        }
        return rest
    }

    private static func isEqual(_ left: [UInt8], _ right: [UInt8], count: Int) -> Bool {
        left.withUnsafeBytes { left in
            right.withUnsafeBytes { right in
                guard let left = left.baseAddress, let right = right.baseAddress else {
                    return count == 0
                }
                return memcmp(left, right, count) == 0
            }
        }
    }
}
