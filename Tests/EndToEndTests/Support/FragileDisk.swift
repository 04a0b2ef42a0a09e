import Foundation
import GatewayTesting
import Platform

/// A disk that loses what was not synchronized when its power fails.
///
/// Names and sizes survive in their order, up to any place behind the last synchronization, as ext4 and
/// XFS keep them; of the bytes that were written since, any sectors survive. A disk that synchronizes
/// only what it is asked to is less than they promise: of the names and sizes of others, any survive.
struct FragileDisk {
    private static let sectorBytes = 512

    /// Whether a synchronization covers only the file or the folder that it names.
    private let isStrict: Bool

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
    /// The number of each file and folder by its inode, which a file system uses again.
    private var numbers: [UInt64: UInt64] = [:]
    private var lastNumber: UInt64 = 0
    /// The numbers of the folders by their paths.
    private var folders: [String: UInt64] = [:]

    init(isStrict: Bool = false) { self.isStrict = isStrict }

    /// Does what a program did.
    mutating func apply(_ operation: WriteTrace.Operation) {
        switch operation {
        case .write(let inode, let offset, let bytes):
            let file = number(of: inode)
            files[file, default: File()].pending.append((offset, bytes))
            change(.resize(file, offset + bytes.count, onlyGrows: true))
        case .resize(let inode, let size, let onlyGrows):
            change(.resize(number(of: inode), size, onlyGrows: onlyGrows))
        case .sync(let inode): sync(number(of: inode))
        case .createFile(let inode, let path):
            change(.createFile(number(ofNew: inode), path))
        case .createFolder(let inode, let path):
            folders[path] = number(ofNew: inode)
            change(.createFolder(path))
        case .rename(let source, let target):
            folders[target] = folders.removeValue(forKey: source)
            change(.rename(source, target))
        case .remove(let path): change(.remove(path))
        case .send: break
        }
    }

    private mutating func number(ofNew inode: UInt64) -> UInt64 {
        lastNumber += 1
        numbers[inode] = lastNumber
        return lastNumber
    }

    /// The number of a file, also of one that was there before the trace began.
    private mutating func number(of inode: UInt64) -> UInt64 {
        numbers[inode] ?? number(ofNew: inode)
    }

    private mutating func change(_ change: Change) {
        pendingNames.append(change)
        // The first folder has no traced folder above it, which the program cannot synchronize either.
        if case .createFolder = change, folders.count == 1 {
            names.apply(pendingNames.removeLast())
        }
    }

    private mutating func sync(_ number: UInt64) {
        let isCovered = pendingNames.map { covers(number, $0) }
        for (change, isCovered) in zip(pendingNames, isCovered) where isCovered {
            names.apply(change)
        }
        pendingNames = zip(pendingNames, isCovered).filter { !$1 }.map(\.0)
        guard var file = files[number] else { return }
        for write in file.pending { Self.apply(write, to: &file.bytes) }
        file.pending = []
        files[number] = file
    }

    private static func folder(of path: String) -> String? {
        path.lastIndex(of: "/").map { String(path[..<$0]) }
    }

    /// Whether the synchronization of a file or folder covers a change.
    private func covers(_ number: UInt64, _ change: Change) -> Bool {
        guard isStrict else { return true }
        switch change {
        case .resize(let file, _, _): return file == number
        case .createFile(_, let path), .createFolder(let path), .remove(let path),
            .rename(_, let path):
            return Self.folder(of: path).flatMap { folders[$0] } == number
        }
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
        let survivors =
            isStrict
            ? pendingNames.filter { _ in random.once(in: 2) }
            : pendingNames.prefix(count).map(\.self)
        for change in survivors { names.apply(change) }
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
            // The entry of a file is nothing without its folder.
            guard let folder = Self.folder(of: path),
                folder == prefix || names.folders.contains(folder),
                let path = target(path)
            else { continue }
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
