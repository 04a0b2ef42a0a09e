import CZlib

/// Compresses content piece by piece as gzip (RFC 1952).
final class GzipEncoder {
    private static let pieceSize = 16_384

    private let stream: OpaquePointer
    /// Whether zlib has failed: there is nothing more to send.
    private(set) var hasFailed = false

    /// Begins; nil when zlib is not installed.
    init?() {
        guard let stream = czlib_open() else { return nil }
        self.stream = stream
    }

    deinit {
        czlib_close(stream)
    }

    /// Compresses all of some content; nil when zlib is not installed.
    static func encode(_ bytes: [UInt8]) -> [UInt8]? {
        guard let encoder = GzipEncoder() else { return nil }
        let compressed = encoder.encode(bytes, isEnd: true)
        return encoder.hasFailed ? nil : compressed
    }

    /// Compresses the next bytes; some of the result may come with later ones.
    func encode(_ bytes: [UInt8], isEnd: Bool = false) -> [UInt8] {
        var result: [UInt8] = []
        var position = 0
        while !hasFailed {
            var taken = 0
            let piece = [UInt8](unsafeUninitializedCapacity: Self.pieceSize) { buffer, count in
                guard let output = buffer.baseAddress else { return }
                let written = bytes.withUnsafeBufferPointer { bytes in
                    czlib_compress(
                        stream, bytes.baseAddress.map { $0 + position }, bytes.count - position,
                        &taken, isEnd ? 1 : 0, output, Self.pieceSize)
                }
                hasFailed = written < 0
                count = max(written, 0)
            }
            result += piece
            position += taken
            if piece.count < Self.pieceSize { break }
        }
        return result
    }
}
