package import GatewayCore
package import GatewayHost
package import Platform

/// Waits for a data directory that another process uses: until it is free, or its gateway answers.
package struct DataDirectoryWait {
    /// The result of the wait.
    package enum Outcome: Sendable {
        /// This process has locked the directory.
        case locked(DataDirectoryLock)
        /// A gateway accepts connections.
        case gateway
    }

    private let folder: DataDirectory
    private let clock: any GatewayClock
    /// Nil if the directory does not exist or the system has no free watch: then only the lock is
    /// waited for.
    private let directory: DirectoryWatch?

    /// Starts to watch the directory for a new control socket.
    package init(_ folder: DataDirectory, clock: any GatewayClock) {
        self.folder = folder
        self.clock = clock
        directory = try? DirectoryWatch(folder.path)
    }

    /// Waits until the deadline; nil if it passes.
    package func outcome(until deadline: BootInstant) async throws(HostError) -> Outcome? {
        let first = await withTaskGroup(of: Result<Outcome?, HostError>.self) { group in
            defer { group.cancelAll() }
            group.addTask { await waitForLock(until: deadline) }
            if let directory {
                group.addTask {
                    let isReachable = await directory.wait { ControlClient.canReach(folder) }
                    return .success(isReachable ? .gateway : nil)
                }
            }
            for await outcome in group {
                if case .success(nil) = outcome, clock.now() < deadline { continue }
                return outcome
            }
            return .success(nil)
        }
        return try first.get()
    }

    private func waitForLock(until deadline: BootInstant) async -> Result<Outcome?, HostError> {
        do throws(HostError) {
            let lock = try await DataDirectoryLock.wait(for: folder, until: deadline, on: clock)
            return .success(lock.map(Outcome.locked))
        } catch {
            return .failure(error)
        }
    }
}
