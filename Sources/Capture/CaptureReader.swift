import Glibc
import Platform

/// Reads a capture in parts, with bounded memory.
///
/// The last line may be incomplete after a crash; it is ignored then. The reader runs on a thread
/// of its own, because a read from a pipe may block.
package actor CaptureReader {
    private static let readLength = 256 << 10
    private static let newline = UInt8(ascii: "\n")

    /// The path of the file.
    package nonisolated let path: String
    private let descriptor: Int32
    private let executor = QueueExecutor(label: "replay")
    private var decoder = CaptureDecoder()
    /// The beginning of a line whose rest is not read yet.
    private var partial: [UInt8] = []
    private var line = 0
    private var isAtEnd = false
    /// The events that were read with the header.
    private var first: [CaptureLine]?
    private var readHeader: CaptureHeader?
    /// Whether the last line was incomplete.
    package private(set) var isTorn = false

    /// Opens a capture.
    ///
    /// - Throws: ``CaptureError`` if the file cannot be opened.
    package init(_ path: String) throws(CaptureError) {
        descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
        let code = errno
        guard descriptor >= 0 else { throw .system("read", path: path, code: code) }
        self.path = path
    }

    deinit {
        close(descriptor)
    }

    /// The queue on which a read may block.
    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
    }

    /// Reads the header, the first line.
    ///
    /// - Throws: ``CaptureError`` if the file is not a capture of a known format.
    package func header() throws(CaptureError) -> CaptureHeader {
        while readHeader == nil, !isAtEnd { first = try read() }
        guard let readHeader else {
            throw .notACapture(path: path, problem: "the file is empty")
        }
        return readHeader
    }

    /// Reads the next events; nil at the end.
    ///
    /// - Throws: ``CaptureError`` for an invalid line.
    package func next() throws(CaptureError) -> [CaptureLine]? {
        if let first = first.take() { return first }
        while !isAtEnd {
            let events = try read()
            if !events.isEmpty { return events }
        }
        return nil
    }

    /// Reads the events of the next part of the file.
    private func read() throws(CaptureError) -> [CaptureLine] {
        let (bytes, code) = SystemCall.read(descriptor, limit: Self.readLength)
        guard code == 0 else { throw .system("read", path: path, code: code) }
        guard !bytes.isEmpty else { return try finish() }
        guard let end = bytes.lastIndex(of: Self.newline) else {
            try append(bytes[...])
            return []
        }
        var events: [CaptureLine] = []
        if !partial.isEmpty {
            let next = bytes.firstIndex(of: Self.newline) ?? end
            try append(bytes[..<next])
            try decode(partial[...], into: &events)
            partial = []
            if next < end { try decode(bytes[(next + 1)..<end], into: &events) }
        } else {
            try decode(bytes[..<end], into: &events)
        }
        try append(bytes[(end + 1)...])
        return events
    }

    private func append(_ bytes: ArraySlice<UInt8>) throws(CaptureError) {
        partial += bytes
        guard partial.count <= CaptureFormat.maximumLineLength else {
            throw failure("longer than 64 KiB", at: line + 1)
        }
    }

    /// Reads the last line, which has no newline.
    private func finish() throws(CaptureError) -> [CaptureLine] {
        isAtEnd = true
        var events: [CaptureLine] = []
        guard !partial.isEmpty else { return [] }
        do throws(CaptureError) {
            try decode(partial[...], into: &events)
        } catch {
            if readHeader == nil { throw error }
            isTorn = true
        }
        return events
    }

    /// Decodes whole lines, without the last newline.
    private func decode(
        _ bytes: ArraySlice<UInt8>, into events: inout [CaptureLine]
    ) throws(CaptureError) {
        let failure = bytes.withUnsafeBytes { bytes -> CaptureError? in
            do throws(CaptureError) {
                try decode(lines: bytes, into: &events)
                return nil
            } catch {
                return error
            }
        }
        if let failure { throw failure }
    }

    private func decode(
        lines bytes: UnsafeRawBufferPointer, into events: inout [CaptureLine]
    ) throws(CaptureError) {
        var start = 0
        while start <= bytes.count {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[start...])
            let length = rest.firstNewline ?? rest.count
            line += 1
            let text = UnsafeRawBufferPointer(rebasing: rest[..<length])
            if let event = try decode(text) {
                events.append(CaptureLine(number: line, event: event))
            }
            start += length + 1
        }
    }

    private func decode(_ text: UnsafeRawBufferPointer) throws(CaptureError) -> CaptureEvent? {
        guard text.count <= CaptureFormat.maximumLineLength else {
            throw failure("longer than 64 KiB", at: line)
        }
        do throws(CaptureDecoder.Problem) {
            guard readHeader == nil else { return try decoder.event(text) }
            guard let found = try CaptureDecoder.header(text) else {
                throw CaptureDecoder.Problem.syntax
            }
            guard let header = found.header else {
                throw CaptureDecoder.Problem("format \(found.version) is not supported")
            }
            readHeader = header
            return nil
        } catch {
            throw failure(error.text, at: line)
        }
    }

    private func failure(_ problem: String, at line: Int) -> CaptureError {
        readHeader == nil
            ? .notACapture(path: path, problem: problem)
            : .invalid(path: path, line: line, problem: problem)
    }
}

extension UnsafeRawBufferPointer {
    /// The index of the first newline.
    fileprivate var firstNewline: Int? {
        guard let base = baseAddress, let found = memchr(base, 0x0A, count) else { return nil }
        return UnsafeRawPointer(found) - base
    }
}
