import Foundation
import Platform

/// A disk that loses what was not synchronized when its power fails.
///
/// Names and sizes survive in their order, up to any place behind the last synchronization, as ext4 and
/// XFS keep them; of the bytes that were written since, any sectors survive.
struct FragileDisk {
    private static let sectorBytes = 512

    private struct File {
        var bytes: [UInt8] = []
        /// What was not synchronized, in its order.
        var pending: [(offset: Int, bytes: ArraySlice<UInt8>)] = []
    }

    private enum Change {
        case createFile(UInt64, String)
        case createFolder(String)
        case rename(String, String)
        case remove(String)
        case resize(UInt64, Int, onlyGrows: Bool)
    }

    private struct Names {
        var files: [String: UInt64] = [:]
        var folders: Set<String> = []
        var sizes: [UInt64: Int] = [:]

        mutating func apply(_ change: Change) {
            switch change {
            case .createFile(let inode, let path):
                files[path] = inode
                sizes[inode] = 0
            case .createFolder(let path): folders.insert(path)
            case .rename(let source, let target): rename(source, target)
            case .remove(let path):
                files[path] = nil
                folders.remove(path)
            case .resize(let inode, let size, let onlyGrows):
                sizes[inode] = onlyGrows ? max(size, sizes[inode] ?? 0) : size
            }
        }

        private mutating func rename(_ source: String, _ target: String) {
            if let inode = files.removeValue(forKey: source) { files[target] = inode }
            guard folders.remove(source) != nil else { return }
            folders.insert(target)
            for (path, inode) in files where path.hasPrefix("\(source)/") {
                files[path] = nil
                files[target + path.dropFirst(source.utf8.count)] = inode
            }
        }
    }

    private var files: [UInt64: File] = [:]
    private var names = Names()
    private var pendingNames: [Change] = []

    /// Does what a program did.
    mutating func apply(_ operation: WriteTrace.Operation) {
        switch operation {
        case .write(let inode, let offset, let bytes):
            files[inode, default: File()].pending.append((offset, bytes))
            change(.resize(inode, offset + bytes.count, onlyGrows: true))
        case .resize(let inode, let size, let onlyGrows):
            change(.resize(inode, size, onlyGrows: onlyGrows))
        case .sync(let inode): sync(inode)
        case .createFile(let inode, let path): change(.createFile(inode, path))
        case .createFolder(_, let path): change(.createFolder(path))
        case .rename(let source, let target): change(.rename(source, target))
        case .remove(let path): change(.remove(path))
        case .send: break
        }
    }

    private mutating func change(_ change: Change) { pendingNames.append(change) }

    private mutating func sync(_ inode: UInt64) {
        for change in pendingNames { names.apply(change) }
        pendingNames = []
        guard var file = files[inode] else { return }
        for write in file.pending { Self.apply(write, to: &file.bytes) }
        file.pending = []
        files[inode] = file
    }

    private static func apply(
        _ write: (offset: Int, bytes: ArraySlice<UInt8>), to bytes: inout [UInt8]
    ) {
        let end = write.offset + write.bytes.count
        if bytes.count < end { bytes += [UInt8](repeating: 0, count: end - bytes.count) }
        bytes.replaceSubrange(write.offset..<end, with: write.bytes)
    }

    /// Writes what a loss of power leaves to a folder.
    ///
    /// - Parameter prefix: The part of the paths that the folder replaces.
    func leave(
        of prefix: String, in folder: String, _ random: inout SeededGenerator
    ) throws {
        var names = names
        let count = Int.random(in: 0...pendingNames.count, using: &random)
        for change in pendingNames[..<count] { names.apply(change) }
        // Nothing, all, or any part of what was not synchronized.
        let shares: [Double] = [0, 0.5, 0.9, 1]
        let share = shares.randomElement(using: &random) ?? 0
        func target(_ path: String) -> String? {
            path.hasPrefix(prefix) ? folder + path.dropFirst(prefix.utf8.count) : nil
        }
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        for path in names.folders.sorted() {
            guard let path = target(path) else { continue }
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true)
        }
        for (path, inode) in names.files.sorted(by: { $0.key < $1.key }) {
            guard let path = target(path) else { continue }
            let bytes = content(inode, names.sizes[inode] ?? 0, share, &random)
            try Data(bytes).write(to: URL(fileURLWithPath: path))
        }
    }

    private func content(
        _ inode: UInt64, _ size: Int, _ share: Double, _ random: inout SeededGenerator
    ) -> [UInt8] {
        guard let file = files[inode] else { return [UInt8](repeating: 0, count: size) }
        var bytes = file.bytes
        for write in file.pending {
            var start = write.offset
            let end = write.offset + write.bytes.count
            while start < end {
                let next = min((start / Self.sectorBytes + 1) * Self.sectorBytes, end)
                if Double.random(in: 0..<1, using: &random) < share {
                    let first = write.bytes.startIndex + start - write.offset
                    let part = write.bytes[first..<(first + next - start)]
                    Self.apply((start, part), to: &bytes)
                }
                start = next
            }
        }
        if bytes.count < size { bytes += [UInt8](repeating: 0, count: size - bytes.count) }
        return Array(bytes.prefix(size))
    }
}
