import GatewayCore
import Glibc

/// The file in the data folder that says which devices are the user's own.
struct AdoptedDevicesFile {
    /// How often the folder's lock is tried, 10 ms apart: nobody has it for longer than a write takes.
    private static let tries = 500

    let folder: DataFolder

    /// Where the file is.
    var path: String { folder.resolve(DataFiles.adopted) }

    /// What the file says; no device when there is none.
    func read() throws(CommandFailure) -> AdoptedDevices {
        guard let text = try TextFile.read(path) else { return AdoptedDevices() }
        do {
            return try AdoptedDevices(json: text)
        } catch {
            throw failure(error)
        }
    }

    /// Something in the file is wrong.
    func failure(_ error: ConfigurationError) -> CommandFailure {
        CommandFailure(
            .configuration,
            "\(path): \(error); mend it there, or remove the file and adopt the devices again")
    }

    /// Changes what the file says.
    ///
    /// Whoever else wants to change it waits meanwhile, so that no change is lost. A file that cannot be
    /// read is left as it is; of one that is a link the target is changed.
    func change<Result>(
        _ change: (inout AdoptedDevices) throws(CommandFailure) -> Result
    ) throws(CommandFailure) -> Result {
        // The lock is on the folder, which stays the same while the file is replaced.
        let target = try TextFile.followingLinks(path)
        let place = TextFile.folder(of: target)
        let lock = open(place, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard lock >= 0 else { throw .system("open", place, errno: errno) }
        defer { close(lock) }
        try take(lock, place)
        let old = try read()
        var new = old
        let result = try change(&new)
        if new != old { try write(new, to: target) }
        return result
    }

    private func take(_ lock: Int32, _ place: String) throws(CommandFailure) {
        for _ in 1...Self.tries {
            if flock(lock, LOCK_EX | LOCK_NB) == 0 { return }
            usleep(10_000)
        }
        throw CommandFailure(
            .failure, "another program keeps \(place) locked; try again when it has ended")
    }

    private func write(
        _ devices: AdoptedDevices, to target: String
    ) throws(CommandFailure) {
        let text = devices.json
        guard (try? AdoptedDevices(json: text)) == devices else {
            throw CommandFailure(
                .failure,
                "\(path) would be too large to be read; forget devices that are not used any more, "
                    + "or give shorter settings")
        }
        let draft = target == path ? folder.resolve(DataFiles.adoptedDraft) : "\(target).new"
        try TextFile.replace(target, draft: draft, with: text)
    }
}
