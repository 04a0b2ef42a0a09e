import GatewayCore
import Glibc

/// The folder that holds the store, the journal and the lock of one gateway.
struct DataFolder: Sendable {
    let path: String

    /// Where the configuration, systemd or the XDG conventions put it; nothing is created.
    static func locate(
        configuration: GatewayConfiguration, environment: Environment, isSimulation: Bool
    ) throws(CommandFailure) -> DataFolder {
        let path =
            configuration.dataFolder
            // systemd gives a list when the unit names several folders; ours is the first.
            ?? environment.folder("STATE_DIRECTORY").map { String($0.prefix { $0 != ":" }) }
            ?? environment.folder("XDG_DATA_HOME").map { "\($0)/pulsegate" }
            ?? environment.home.map { "\($0)/.local/share/pulsegate" }
        guard let path else {
            throw CommandFailure(
                .failure, "no data folder: set `state` in the configuration, or $HOME")
        }
        return DataFolder(path: isSimulation ? "\(path)/simulation" : path)
    }

    /// A path of the configuration: as it is when absolute, else inside the folder.
    func resolve(_ path: String) -> String {
        DataFiles.resolve(path, in: self.path)
    }

    /// Makes the folder and those above it, for this user only.
    func create() throws(CommandFailure) {
        var partial = ""
        for component in path.split(separator: "/") {
            partial += "/\(component)"
            if mkdir(partial, 0o700) == 0 { continue }
            let code = errno
            var status = stat()
            // An existing folder may also be answered with EACCES or EROFS.
            if stat(partial, &status) == 0, status.st_mode & S_IFMT == S_IFDIR { continue }
            // Something that is no folder, or a link that leads nowhere.
            throw Self.unusable(partial, code == EEXIST ? ENOTDIR : code)
        }
        guard access(path, W_OK | X_OK) == 0 else { throw Self.unusable(path, errno) }
    }

    fileprivate static func unusable(_ path: String, _ code: Int32) -> CommandFailure {
        .system(
            "write to the data folder", path, errno: code,
            mend: "give this user the right to write there, or name another folder with `state` "
                + "in the configuration")
    }
}

/// Shows that one gateway uses a data folder.
///
/// It ends with the process, whatever ends that.
struct DataFolderLock: ~Copyable {
    private let descriptor: Int32

    /// How often the lock is tried, 10 ms apart: whoever only looks at it has it for a moment.
    private static let tries = 10

    /// Takes the lock, or says which process has it.
    init(_ folder: DataFolder) throws(CommandFailure) {
        let path = folder.resolve(DataFiles.lock)
        let opened = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard opened >= 0 else { throw DataFolder.unusable(folder.path, errno) }
        guard Self.take(opened) else {
            let owner = Self.owner(opened)
            close(opened)
            throw CommandFailure(
                .failure, "the data folder \(folder.path) is in use by a running gateway\(owner)")
        }
        ftruncate(opened, 0)
        let process = Array("\(getpid())\n".utf8)
        _ = pwrite(opened, process, process.count, 0)
        descriptor = opened
    }

    deinit {
        close(descriptor)
    }

    /// Tells whether a gateway uses the folder, as ` (process 1234)`; nil when none does.
    static func owner(of folder: DataFolder) -> String? {
        let opened = open(folder.resolve(DataFiles.lock), O_RDONLY | O_CLOEXEC)
        guard opened >= 0 else { return nil }
        defer { close(opened) }
        let isFree = flock(opened, LOCK_SH | LOCK_NB) == 0
        return isFree ? nil : owner(opened)
    }

    private static func take(_ descriptor: Int32) -> Bool {
        for attempt in 1...tries {
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return true }
            if attempt < tries { usleep(10_000) }
        }
        return false
    }

    private static func owner(_ descriptor: Int32) -> String {
        var bytes = [UInt8](repeating: 0, count: 16)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        let digits = String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self)
            .prefix { $0.isNumber }
        return digits.isEmpty ? "" : " (process \(digits))"
    }
}
