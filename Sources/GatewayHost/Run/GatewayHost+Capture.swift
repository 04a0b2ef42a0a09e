import Capture
import GatewayCore
import HealthModel

extension GatewayHost {
    /// Creates the file of a capture.
    func makeRecorder(_ capture: CaptureOptions) throws(HostError) -> CaptureRecorder {
        do throws(CaptureError) {
            return try CaptureRecorder(
                capture.path, version: Version.current, earliest: Version.earliestTime,
                replaces: capture.replaces, isAnonymous: capture.isAnonymous, calendar: .system,
                clock: clock, log: log)
        } catch {
            throw HostError(.failure, "\(error)")
        }
    }
}
