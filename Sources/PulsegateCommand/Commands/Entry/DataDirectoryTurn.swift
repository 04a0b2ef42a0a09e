import ControlSocket
import GatewayCore
import GatewayHost
import Platform

/// A wait for a data directory that somebody else has: until it is free, or a gateway answers there.
struct DataDirectoryTurn {
    /// Whose turn it is.
    enum Turn: Sendable {
        /// This process's: nobody else has the directory.
        case own(DataDirectoryLock)
        /// That of a gateway that can be reached.
        case gateway
    }

    private let folder: DataDirectory
    private let clock: any GatewayClock
    /// Nil where the directory is not there yet, or the system has no watch left: then only the lock is
    /// waited for.
    private let directory: DirectoryWatch?

    /// Begins to watch the directory: a control socket that is made from now on is noticed.
    init(_ folder: DataDirectory, clock: any GatewayClock) {
        self.folder = folder
        self.clock = clock
        directory = try? DirectoryWatch(folder.path)
    }

    /// Waits for either; nil when the deadline passes before.
    func wait(until deadline: BootInstant) async throws(HostError) -> Turn? {
        let first = await withTaskGroup(of: Result<Turn?, HostError>.self) { group in
            defer { group.cancelAll() }
            group.addTask { await waitForLock(until: deadline) }
            if let directory {
                group.addTask {
                    let isReachable = await directory.wait { ControlClient.canReach(folder) }
                    return .success(isReachable ? .gateway : nil)
                }
            }
            for await turn in group {
                if case .success(nil) = turn, clock.now() < deadline { continue }
                return turn
            }
            return .success(nil)
        }
        return try first.get()
    }

    private func waitForLock(until deadline: BootInstant) async -> Result<Turn?, HostError> {
        do throws(HostError) {
            let lock = try await DataDirectoryLock.wait(for: folder, until: deadline, on: clock)
            return .success(lock.map(Turn.own))
        } catch {
            return .failure(error)
        }
    }
}
