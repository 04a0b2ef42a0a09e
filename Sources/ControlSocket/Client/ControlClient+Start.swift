package import GatewayCore
package import GatewayHost
import Platform

extension ControlClient {
    /// How long a gateway may take from its lock to its socket, in seconds.
    private static let startSeconds = 5.0

    /// Connects to the gateway of a data directory; waits shortly for one that is starting.
    package static func connecting(
        _ folder: DataDirectory, isSimulation: Bool, clock: any GatewayClock
    ) async throws(HostError) -> ControlClient {
        // It reports what happens from here on, so that no socket is missed.
        let directory = try? DirectoryWatch(folder.path)
        do throws(HostError) {
            return try ControlClient(folder, isSimulation: isSimulation, clock: clock)
        } catch {
            guard let directory, isStarting(folder) else { throw error }
            await clock.wait(until: clock.now().adding(seconds: startSeconds)) {
                _ = await directory.wait { canReach(folder) }
            }
        }
        return try ControlClient(folder, isSimulation: isSimulation, clock: clock)
    }

    /// Whether a gateway uses the directory whose socket is not there yet, or one of an earlier gateway.
    private static func isStarting(_ folder: DataDirectory) -> Bool {
        guard !folder.isOfAnotherUser, DataDirectoryLock.owner(of: folder) != nil,
            !DataDirectoryLock.isStopping(folder)
        else { return false }
        return hasNoSocket(folder)
    }
}
