import GatewayCore
import Glibc

/// The progress of the delivery of a batch: what is settled, and which piece is sent next.
///
/// A rejected piece is halved until single records are left, so a rejected record among n costs at
/// most 1 + 2·log2(n) requests. Pieces are sent in the order of the records: the settled records
/// are always at the beginning.
///
/// It survives a failure in the middle. A retry with the same batch, a prefix of it or a longer batch
/// resumes the delivery: settled records are not sent again, and the interrupted piece is sent with
/// the same bytes.
struct BatchDelivery {
    /// A record that the server rejected.
    struct Rejection: Equatable {
        /// The index in the batch.
        var index: Int
        /// The status code; nil for a line that is not a record and was not sent.
        let status: Int?
        /// The text of the response.
        let response: String
    }

    private(set) var lines: RecordLines
    /// In the order of the records.
    private(set) var rejections: [Rejection] = []
    /// The pieces that are not settled, the next one last.
    private var pending: [Range<Int>]

    init(_ lines: RecordLines) {
        self.lines = lines
        pending = lines.isEmpty ? [] : [0..<lines.count]
    }

    /// Resumes with a batch if it shares its beginning; a longer batch extends the delivery.
    mutating func resume(with batch: RecordLines) -> Bool {
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

    /// The next piece to send among the first `count` records; nil when all of them are settled.
    mutating func next(ofFirst count: Int) -> Range<Int>? {
        guard let piece = pending.last, piece.lowerBound < count else { return nil }
        guard piece.upperBound > count else { return piece }
        pending[pending.count - 1] = count..<piece.upperBound
        pending.append(piece.lowerBound..<count)
        return pending.last
    }

    /// Settles the next piece, and rejects the invalid lines at these offsets in it.
    mutating func settle(invalid: [Int]) {
        guard let piece = pending.popLast() else { return }
        rejections += invalid.map { offset in
            Rejection(index: piece.lowerBound + offset, status: nil, response: "not a record")
        }
    }

    /// Splits the next piece, or rejects it if it is a single record.
    ///
    /// - Returns: Whether it was a single record.
    mutating func reject(status: Int, response: String) -> Bool {
        guard let piece = pending.popLast() else { return false }
        guard piece.count > 1 else {
            rejections.append(
                Rejection(index: piece.lowerBound, status: status, response: response))
            return true
        }
        let middle = piece.lowerBound + piece.count / 2
        pending.append(middle..<piece.upperBound)
        pending.append(piece.lowerBound..<middle)
        return false
    }

    /// Reverts up to `count` of the last rejections; the first of them is retried alone.
    mutating func requeue(last count: Int) {
        let answered = rejections.indices.filter { rejections[$0].status != nil }.suffix(count)
        guard let first = answered.first, let last = rejections.last else { return }
        let start = rejections[first].index
        let end = pending.last?.lowerBound ?? max(last.index + 1, lines.count)
        rejections.removeSubrange(first...)
        if start + 1 < end { pending.append(start + 1..<end) }
        pending.append(start..<start + 1)
    }

    /// The delivery without the first `count` records, which are settled; nil when none remain.
    func withoutFirst(_ count: Int) -> BatchDelivery? {
        guard count < lines.count else { return nil }
        var rest = BatchDelivery(lines[count..<lines.count])
        rest.pending = pending.map { $0.lowerBound - count..<$0.upperBound - count }
        rest.rejections = rejections.filter { $0.index >= count }.map { rejection in
            var rejection = rejection
            rejection.index -= count
            return rejection
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
