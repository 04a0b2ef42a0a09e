import ControlSocket
import GatewayCore
import GatewayHost
import Glibc
import Platform
import Serial

/// Asks the gateway of the data directory for its status.
struct GatewayCheck: Sendable {
    /// The time, in seconds, for the connection and the answer.
    private static let limitSeconds = 12.0

    let folder: DataDirectory
    let clock: any GatewayClock

    /// Whether a gateway runs, and what it says.
    func state() async -> GatewayFacts.State {
        let state = await Deadline(seconds: Self.limitSeconds, clock: clock).value(
            ofBlocking: { [self] in ask() })
        return state
            ?? .silent(
                reason: "the gateway on \(folder.path) did not answer within "
                    + "\(Int(Self.limitSeconds)) seconds", process: Self.process(of: folder))
    }

    private func ask() -> GatewayFacts.State {
        do throws(HostError) {
            var client = try ControlClient(folder, isSimulation: false, clock: clock)
            let line = try client.ask(.status)
            guard let report = try? StatusReport(line: line) else { throw client.unknownAnswer }
            return .running(report)
        } catch {
            return state(after: error)
        }
    }

    private func state(after error: HostError) -> GatewayFacts.State {
        if folder.isOfAnotherUser { return othersGateway }
        guard DataDirectoryLock.owner(of: folder) == nil else {
            let isStopping = DataDirectoryLock.isStopping(folder)
            return .silent(
                reason: error.message, process: isStopping ? nil : Self.process(of: folder))
        }
        // Root may look at the directory of another user, whose lock file is not its own.
        var status = stat()
        guard stat(folder.path, &status) != 0 || status.st_uid == geteuid() else { return .stopped }
        do throws(HostError) {
            try DataDirectoryLock.checkFile(in: folder)
            return .stopped
        } catch {
            // A directory that cannot be written has a finding of its own.
            let isOpen = (try? folder.checkDirectory()) != nil
            return isOpen ? .unusableLock(reason: error.message) : .stopped
        }
    }

    private var othersGateway: GatewayFacts.State {
        let socket = "\(ControlClient.socketFolder(of: folder))/\(DataFiles.control)"
        var status = stat()
        guard stat(socket, &status) == 0, access(socket, W_OK) != 0,
            let group = AccountNames.group(status.st_gid)
        else { return .unknown }
        return .forbidden(group: group)
    }

    /// The process that has the data directory; nil when none has it.
    ///
    /// Its number is in the lock file, which the owner of the directory can write: a process of
    /// another user is not believed.
    static func process(of folder: DataDirectory) -> Int? {
        guard let text = DataDirectoryLock.owner(of: folder),
            let process = Int(text.filter(\.isNumber)), process > 1
        else { return nil }
        var (file, running) = (stat(), stat())
        guard lstat(folder.resolve(DataFiles.lock), &file) == 0,
            stat("/proc/\(process)", &running) == 0, running.st_uid == file.st_uid
        else { return nil }
        return process
    }
}
