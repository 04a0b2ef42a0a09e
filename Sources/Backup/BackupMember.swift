import GatewayCore

/// A file in a backup.
package enum BackupMember: Hashable, Sendable {
    /// The checksums of all others, as `sha256sum -c` reads them; always the first.
    case checksums
    /// What the backup is of; always the second.
    case manifest
    /// The configuration.
    case configuration
    /// A small file of the data directory.
    case small(String)
    /// The copy of a workout file whose import has begun.
    case pendingImport(String)
    /// The store.
    case store

    /// The small files of the data directory that a backup has.
    static let smallNames = [
        DataFiles.adopted, DataFiles.people, DataFiles.access, DataFiles.imports,
        DataFiles.deletions,
    ]
    static let importSuffix = ".import"

    /// The name in the archive.
    package var name: String {
        switch self {
        case .checksums: "SHA256SUMS"
        case .manifest: "manifest.json"
        case .configuration: "pulsegate.json5"
        case .small(let name): name
        case .pendingImport(let name): "\(DataFiles.pendingImports)/\(name)"
        case .store: "health.sqlite"
        }
    }

    /// The member with a name; nil when no backup has it, so that no path leads out of a folder.
    init?(name: String) {
        switch name {
        case Self.checksums.name: self = .checksums
        case Self.manifest.name: self = .manifest
        case Self.configuration.name: self = .configuration
        case Self.store.name: self = .store
        case let name where Self.smallNames.contains(name): self = .small(name)
        default:
            let prefix = "\(DataFiles.pendingImports)/"
            guard name.hasPrefix(prefix), Self.isImport(String(name.dropFirst(prefix.count)))
            else { return nil }
            self = .pendingImport(String(name.dropFirst(prefix.count)))
        }
    }

    /// Whether a file name is that of a copy: a UUID and the suffix.
    static func isImport(_ name: String) -> Bool {
        guard name.hasSuffix(importSuffix) else { return false }
        let stem = name.dropLast(importSuffix.count)
        return stem.utf8.count == 36
            && stem.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
                    UInt8(ascii: "A")...UInt8(ascii: "F"), UInt8(ascii: "-"):
                    true
                default: false
                }
            }
    }

    /// Whether it is read into memory: then it is at most 1 MiB.
    var isSmall: Bool {
        switch self {
        case .checksums, .manifest, .configuration, .small: true
        case .pendingImport, .store: false
        }
    }

    /// The maximum size of a small member, which is also that of the files themselves.
    static let smallLimit: Int64 = 1 << 20
}
