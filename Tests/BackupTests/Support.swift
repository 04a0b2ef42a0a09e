import GatewayHost
import XCTest

@testable import Backup

/// Bytes in memory as an archive.
struct BytesInput: ArchiveInput {
    private var bytes: ArraySlice<UInt8>
    /// No read returns more, so that pieces end anywhere.
    private let limit: Int

    init(_ bytes: some Sequence<UInt8>, limit: Int = .max) {
        self.bytes = Array(bytes)[...]
        self.limit = limit
    }

    mutating func read(upTo count: Int) throws(BackupError) -> [UInt8] {
        let part = bytes.prefix(min(count, limit))
        bytes = bytes.dropFirst(part.count)
        return Array(part)
    }
}

/// Archives in memory.
enum ExampleArchive {
    /// The files of an example, the manifest first.
    static var members: [(name: String, bytes: [UInt8])] {
        var manifest = BackupManifest()
        manifest.version = "0.1.0"
        manifest.records = ["samples": 2]
        return [
            ("manifest.json", manifest.bytes),
            ("pulsegate.json5", Array("{ sinks: { store: \"sqlite\" } }\n".utf8)),
            ("devices.json", []),
            ("imports/0198f3c2-0000-8000-8000-000000000001.import", [1, 2, 3]),
            ("health.sqlite", (0..<1_300).map { UInt8(truncatingIfNeeded: $0) }),
        ]
    }

    /// The archive of files; the list of checksums is that of these files unless another is given.
    static func bytes(
        _ members: [(name: String, bytes: [UInt8])] = members, checksums: String? = nil
    ) throws -> [UInt8] {
        var list = ChecksumList()
        list.entries = members.map {
            ChecksumList.Entry(name: $0.name, checksum: SHA256.hex(of: $0.bytes))
        }
        let bytes = Collected()
        let archive = ArchiveWriter(time: 1_795_000_000) { bytes.bytes += $0 }
        let text = Array((checksums ?? list.text).utf8)
        try archive.add("SHA256SUMS", .bytes(text)) { _ in }
        for member in members { try archive.add(member.name, .bytes(member.bytes)) { _ in } }
        try archive.finish()
        return bytes.bytes
    }

    /// Reads the files of an archive after its manifest.
    static func read(
        _ bytes: [UInt8], limit: Int = .max
    ) throws(BackupError) -> [String: [UInt8]] {
        var contents = try BackupContents(BytesInput(bytes, limit: limit))
        var read: [String: [UInt8]] = [:]
        while let (member, size) = try contents.nextMember() {
            let content = try contents.nextSmallMember()
            read[member.name] = content
            precondition(Int64(content.count) == size, "all of a file is read")
        }
        return read
    }

    /// The files that reading the example returns.
    static var expected: [String: [UInt8]] {
        Dictionary(uniqueKeysWithValues: members.dropFirst().map { ($0.name, $0.bytes) })
    }

    private final class Collected {
        var bytes: [UInt8] = []
    }
}
