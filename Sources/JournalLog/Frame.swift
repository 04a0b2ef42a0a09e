import ByteDecoding
import GatewayCore

/// The content of a frame.
enum FrameContent {
    /// The start of a segment.
    case segment(SegmentHead, Ledger)
    /// A batch with the counts of all records so far.
    case records(Ledger.Ingest, RecordLines)
    /// The whole ledger.
    case ledger(Ledger)
    /// The end of a segment that has a successor.
    case end
}

/// What the first frame of a segment says about it.
struct SegmentHead: Equatable {
    /// The format of this version.
    static let version: UInt32 = 1

    var version = Self.version
    /// The number of the segment, ascending.
    var segment: UInt64
    /// The allocated size in bytes.
    var size: Int
}

/// Encodes and decodes the payloads of frames.
///
/// The last byte of each is a newline, so that a frame that was not written to its end is recognized
/// by a zero in its place.
enum FrameCoding {
    static let lastByte = UInt8(ascii: "\n")

    /// Appends a frame to bytes that are written at once.
    ///
    /// - Throws: ``LogError/Problem/isTooLarge`` when a reader would not accept it.
    static func append(
        _ content: FrameContent, _ header: FrameHeader, to bytes: inout [UInt8], path: String
    ) throws(LogError) {
        var header = header
        let start = bytes.count
        bytes += repeatElement(0, count: FrameHeader.length)
        append(content, to: &bytes)
        bytes.append(lastByte)
        header.payloadLength = bytes.count - start - FrameHeader.length
        guard header.payloadLength <= FrameHeader.payloadLimit else {
            bytes.removeLast(bytes.count - start)
            throw LogError(path: path, problem: .isTooLarge)
        }
        header.payloadChecksum = Checksum.crc32c(
            bytes, (start + FrameHeader.length)..<bytes.count)
        bytes.withUnsafeMutableBytes { buffer in
            header.write(to: UnsafeMutableRawBufferPointer(rebasing: buffer[start...]))
        }
    }

    /// The frame of a batch in parts, without a copy of its lines; the first part begins with the header.
    ///
    /// - Throws: ``LogError/Problem/isTooLarge`` when a reader would not accept it.
    static func parts(
        _ ingest: Ledger.Ingest, _ lines: RecordLines, _ header: FrameHeader, path: String
    ) throws(LogError) -> [[UInt8]] {
        var header = header
        var start = [UInt8](repeating: 0, count: FrameHeader.length)
        append(ingest, to: &start)
        let end = [lastByte]
        header.payloadLength = start.count - FrameHeader.length + lines.bytes.count + end.count
        guard header.payloadLength <= FrameHeader.payloadLimit else {
            throw LogError(path: path, problem: .isTooLarge)
        }
        var checksum = Checksum.crc32c(start, FrameHeader.length..<start.count)
        checksum = Checksum.crc32c(lines.bytes, 0..<lines.bytes.count, after: checksum)
        header.payloadChecksum = Checksum.crc32c(end, 0..<end.count, after: checksum)
        start.withUnsafeMutableBytes { header.write(to: $0) }
        return [start, lines.bytes, end]
    }

    private static func append(_ ingest: Ledger.Ingest, to bytes: inout [UInt8]) {
        var account: [UInt8] = []
        LedgerEncoding.append(ingest, to: &account)
        append(UInt64(account.count), to: &bytes)
        bytes += account
    }

    private static func append(_ content: FrameContent, to bytes: inout [UInt8]) {
        switch content {
        case .segment(let head, let ledger):
            append(UInt64(head.version), to: &bytes)
            append(head.segment, to: &bytes)
            append(UInt64(head.size), to: &bytes)
            append(ledger, to: &bytes)
        case .records(let ingest, let lines):
            append(ingest, to: &bytes)
            bytes += lines.bytes
        case .ledger(let ledger): append(ledger, to: &bytes)
        case .end: break
        }
    }

    private static func append(_ ledger: Ledger, to bytes: inout [UInt8]) {
        LedgerEncoding.append(ledger.ingest, to: &bytes)
        LedgerEncoding.append(ledger.sinks, to: &bytes)
    }

    private static func append(_ number: UInt64, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: number.littleEndian) { bytes += $0 }
    }

    /// Decodes a payload with an intact checksum; nil when another program made it.
    static func content(of header: FrameHeader, _ payload: [UInt8]) -> FrameContent? {
        var reader = ByteReader(payload)
        do throws(ByteDecodingError) {
            switch header.kind {
            case .segment:
                let version = UInt32(truncatingIfNeeded: try reader.uint64())
                let head = SegmentHead(
                    version: version, segment: try reader.uint64(),
                    size: Int(clamping: try reader.uint64()))
                guard head.segment <= LogFolder.lastNumber else { return nil }
                // The ledger of a newer version may look different; it is refused by its number.
                guard version == SegmentHead.version else { return .segment(head, Ledger()) }
                return .segment(head, try ledger(&reader))
            case .records:
                var account = ByteReader(
                    Array(try reader.bytes(Int(clamping: try reader.uint64()))))
                return .records(
                    try account.ingest(), RecordLines(Array(reader.remaining.dropLast())))
            case .ledger: return .ledger(try ledger(&reader))
            case .end: return .end
            }
        } catch {
            return nil
        }
    }

    private static func ledger(_ reader: inout ByteReader) throws(ByteDecodingError) -> Ledger {
        Ledger(ingest: try reader.ingest(), sinks: try reader.sinks())
    }
}
