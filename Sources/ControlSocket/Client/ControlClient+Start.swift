package import GatewayCore
package import GatewayHost
import Glibc
import Platform

extension ControlClient {
    /// How long a gateway may take from its lock to its socket, in seconds.
    private static let startSeconds = 5.0
    /// How often to look whether the lock is released, in seconds.
    private static let lookSeconds = 0.2

    /// Connects to the gateway of a data directory; waits shortly for one that is starting.
    package static func connecting(
        _ folder: DataDirectory, isSimulation: Bool, clock: any GatewayClock
    ) async throws(HostError) -> ControlClient {
        // It reports what happens from here on, so that no socket is missed.
        let directory = try? DirectoryWatch(folder.path)
        do throws(LocalSocket.Failure) {
            return ControlClient(try connect(folder), folder, clock: clock)
        } catch {
            guard let directory, [ENOENT, ECONNREFUSED].contains(error.code), isStarting(folder)
            else { throw unreachable(folder, isSimulation, error.code) }
            await waitForStart(of: folder, directory, on: clock)
        }
        return try ControlClient(folder, isSimulation: isSimulation, clock: clock)
    }

    /// Waits until the gateway can be reached, releases its lock or stops, at most for a few seconds.
    private static func waitForStart(
        of folder: DataDirectory, _ directory: DirectoryWatch, on clock: any GatewayClock
    ) async {
        await clock.wait(until: clock.now().adding(seconds: startSeconds)) {
            await withTaskGroup(of: Void.self) { group in
                group.addTask { _ = await directory.wait { canReach(folder) } }
                group.addTask {
                    // The release of a lock is not reported as a change of the directory.
                    while isStarting(folder) {
                        guard (try? await clock.sleep(seconds: lookSeconds)) != nil else { return }
                    }
                }
                await group.next()
                group.cancelAll()
            }
        }
    }

    /// Whether a process uses the directory and is not stopping.
    private static func isStarting(_ folder: DataDirectory) -> Bool {
        !folder.isOfAnotherUser && DataDirectoryLock.owner(of: folder) != nil
            && !DataDirectoryLock.isStopping(folder)
    }
}
