import ByteDecoding
import GatewayCore
import Readings

/// The bytes of a ledger in a frame, little-endian.
///
///     ingest    converted, published, unaccepted: 8 bytes each
///               1 byte: the number of faults; for each its name and 8 bytes
///     sinks     2 bytes: the number of sinks; for each
///               its name, 1 byte whether a previous name follows, start, cursor, filtered,
///               delivered, rejected, dropped, lost: 8 bytes each
///     name      2 bytes: its length; UTF-8
///     unverified, after the sinks if one of them has such records; an earlier version ignores it
///               2 bytes: the number of sinks; for each
///               its name, cursor, filtered, delivered, rejected, dropped, lost, released: 8 bytes
///               each
enum LedgerEncoding {
    /// Appends the counts of converted records.
    static func append(_ ingest: Ledger.Ingest, to bytes: inout [UInt8]) {
        for number in [ingest.converted, ingest.published, ingest.unaccepted] {
            append(number, to: &bytes)
        }
        bytes.append(UInt8(ingest.faults.count))
        for (fault, count) in ingest.faults.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            append(fault.rawValue, to: &bytes)
            append(count, to: &bytes)
        }
    }

    /// Appends the accounts of sinks by name.
    static func append(_ sinks: [String: Ledger.Sink], to bytes: inout [UInt8]) {
        append(UInt16(sinks.count), to: &bytes)
        for (name, sink) in sinks.sorted(by: { $0.key < $1.key }) {
            append(name, to: &bytes)
            bytes.append(sink.previousName == nil ? 0 : 1)
            if let previous = sink.previousName { append(previous, to: &bytes) }
            append(sink.start, to: &bytes)
            append(sink.cursor, to: &bytes)
            for count in sink.outcome.parts { append(count, to: &bytes) }
        }
        let unverified = sinks.compactMapValues(\.unverified)
        if !unverified.isEmpty { append(unverified, to: &bytes) }
    }

    private static func append(
        _ unverified: [String: Ledger.Unverified], to bytes: inout [UInt8]
    ) {
        append(UInt16(unverified.count), to: &bytes)
        for (name, kept) in unverified.sorted(by: { $0.key < $1.key }) {
            append(name, to: &bytes)
            append(kept.cursor, to: &bytes)
            for count in kept.outcome.parts { append(count, to: &bytes) }
            append(kept.released, to: &bytes)
        }
    }

    private static func append(_ text: String, to bytes: inout [UInt8]) {
        let text = text.utf8.prefix(Int(UInt16.max))
        append(UInt16(text.count), to: &bytes)
        bytes += text
    }

    private static func append(_ number: some FixedWidthInteger, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: number.littleEndian) { bytes += $0 }
    }
}

extension ByteReader {
    /// Reads the counts of converted records.
    ///
    /// A fault with an unknown name is left out, which makes the counts unequal.
    mutating func ingest() throws(ByteDecodingError) -> Ledger.Ingest {
        var ingest = Ledger.Ingest()
        ingest.converted = try int64()
        ingest.published = try int64()
        ingest.unaccepted = try int64()
        for _ in 0..<(try uint8()) {
            let fault = ReadingFault(rawValue: try name())
            let count = try int64()
            if let fault { ingest[fault] = count }
        }
        return ingest
    }

    /// Reads the accounts of sinks by name.
    mutating func sinks() throws(ByteDecodingError) -> [String: Ledger.Sink] {
        var sinks: [String: Ledger.Sink] = [:]
        for _ in 0..<(try uint16()) {
            let name = try name()
            let previous = try uint8() == 0 ? nil : try self.name()
            var sink = Ledger.Sink(start: try int64(), cursor: try int64())
            sink.previousName = previous
            sink.outcome = try outcome()
            sinks[name] = sink
        }
        // An earlier version wrote nothing else before the last byte.
        if remaining.elementsEqual([FrameCoding.lastByte]) { return sinks }
        for _ in 0..<(try uint16()) {
            let name = try name()
            let cursor = try int64()
            sinks[name]?.unverified = Ledger.Unverified(
                cursor: cursor, outcome: try outcome(), released: try int64())
        }
        return sinks
    }

    private mutating func outcome() throws(ByteDecodingError) -> Ledger.Outcome {
        var outcome = Ledger.Outcome()
        outcome.filtered = try int64()
        outcome.delivered = try int64()
        outcome.rejected = try int64()
        outcome.dropped = try int64()
        outcome.lost = try int64()
        return outcome
    }

    private mutating func name() throws(ByteDecodingError) -> String {
        String(decoding: try bytes(Int(try uint16())), as: UTF8.self)
    }
}

extension Ledger {
    /// Whether it balances and every number is within the range of a journal.
    var isPlausible: Bool {
        ingest.isPlausible
            && sinks.values.allSatisfy { $0.isPlausible(published: ingest.published) }
    }
}

extension Ledger.Ingest {
    var isPlausible: Bool {
        let parts = faults.values + [unaccepted, published, converted]
        return parts.allSatisfy((0...FrameHeader.numberLimit).contains) && converted == accounted
    }
}

extension Ledger.Sink {
    func isPlausible(published: Int64) -> Bool {
        (outcome.parts + [start, cursor]).allSatisfy((0...FrameHeader.numberLimit).contains)
            && cursor <= published && cursor - start == outcome.total
            && unverified?.isPlausible(in: self) ?? true
    }
}

extension Ledger.Unverified {
    func isPlausible(in sink: Ledger.Sink) -> Bool {
        (outcome.parts + [cursor, released]).allSatisfy((0...FrameHeader.numberLimit).contains)
            && isPart(of: sink)
    }
}
