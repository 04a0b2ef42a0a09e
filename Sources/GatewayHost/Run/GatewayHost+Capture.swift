import Capture
import GatewayCore
import Glibc
import HealthModel
import Platform

extension GatewayHost {
    /// Creates the file of a capture.
    func makeRecorder(
        _ capture: CaptureOptions, in folder: DataDirectory
    ) throws(HostError) -> CaptureRecorder {
        do throws(CaptureError) {
            return try CaptureRecorder(
                capture.path, version: Version.current, earliest: Version.earliestTime,
                replaces: capture.replaces, isAnonymous: capture.isAnonymous, calendar: .system,
                clock: clock, log: log)
        } catch {
            throw HostError(.failure, "\(error)\(remedy(for: error, in: folder))")
        }
    }

    /// Says that root has become the user of the data, who may not write to the folder of the file.
    private func remedy(for error: CaptureError, in folder: DataDirectory) -> String {
        guard case .system(_, let path, EACCES) = error, maker.environment.isOfAnotherUser
        else { return "" }
        let name = path.split(separator: "/").last.map(String.init) ?? path
        return "; the capture is written as \(AccountNames.user(geteuid())), the user of "
            + "\(folder.path): choose a folder that this user may write to, such as "
            + ShellWord.quoted("\(folder.path)/\(name)")
    }
}
