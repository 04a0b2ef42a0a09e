import GatewayCore
import Glibc
import Platform

/// The record of the links that a source has made and not ended: a folder with a file for each link,
/// which names the bluetoothd that has it.
///
/// The next run reads it after a crash. A link costs one small file when it is made and is never
/// synced: after a loss of power there is no link.
actor OwnLinkFiles {
    /// The maximum number of files that are read.
    private static let fileLimit = 10_000
    /// The maximum size of a file: an identifier of a bus and a unique name (at most 255 bytes,
    /// D-Bus Specification, "Message Protocol Names").
    private static let sizeLimit = 300

    /// The folders of all sources.
    private let parent: String
    private let folder: String
    private let log: Logger
    private var hasFailed = false
    private let queue = QueueExecutor(label: "own-links")

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        queue.asUnownedSerialExecutor()
    }

    /// Makes the record of a source in the data directory; its folder is created for the first link.
    init(_ context: ComponentContext) {
        parent = context.resolve(DataFiles.links)
        folder = "\(parent)/\(context.name)"
        log = context.log
    }

    /// The links on record, and the bluetoothd of each; other files are ignored.
    func read() -> [BluetoothAddress: String] {
        guard let listing = opendir(folder) else { return [:] }
        defer { closedir(listing) }
        var links: [BluetoothAddress: String] = [:]
        for _ in 0..<Self.fileLimit {
            guard let entry = readdir(listing) else { break }
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            guard let address = BluetoothAddress(name), address.description == name else {
                continue
            }
            links[address] = content(of: name)
        }
        return links
    }

    private func content(of name: String) -> String? {
        let flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
        let descriptor = open("\(folder)/\(name)", flags)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        let bytes = SystemCall.read(descriptor, limit: Self.sizeLimit).bytes
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Records that this bluetoothd has a link to a device; nil when the link has ended.
    func record(_ address: BluetoothAddress, daemon: String?) {
        let path = "\(folder)/\(address)"
        guard let daemon else {
            if unlink(path) != 0, errno != ENOENT { report("remove", path, errno) }
            return
        }
        var descriptor = openFile(path)
        if descriptor < 0, errno == ENOENT {
            mkdir(parent, 0o700)
            mkdir(folder, 0o700)
            descriptor = openFile(path)
        }
        guard descriptor >= 0 else { return report("create", path, errno) }
        defer { close(descriptor) }
        do { try OutputDescriptor(descriptor: descriptor).write(Array(daemon.utf8)) } catch {
            report("write", path, error.code)
        }
    }

    private func openFile(_ path: String) -> Int32 {
        open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0o600)
    }

    /// Logs the first failure.
    private func report(_ operation: String, _ path: String, _ code: Int32) {
        guard !hasFailed else { return }
        hasFailed = true
        log.warning(
            "cannot record the Bluetooth links; after a crash of the gateway they stay connected",
            ["reason": "cannot \(operation) \(path): \(SystemCall.message(of: code))"])
    }
}
