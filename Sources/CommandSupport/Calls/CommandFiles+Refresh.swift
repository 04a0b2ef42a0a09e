import ControlSocket
import GatewayCore
import GatewayHost
import JSON
import Platform

extension CommandFiles {
    /// Lets a running gateway store what the sink collects; a note says what the store lacks.
    ///
    /// What the store has is read all the same.
    func refreshStore() {
        guard DataDirectoryLock.owner(of: folder) != nil else { return }
        do throws(HostError) {
            var gateway = try ControlClient(
                folder, isSimulation: isSimulation, clock: SystemClock())
            guard let note = Self.note(on: try? gateway.ask(.refresh)) else { return }
            CommandNote.write(note)
        } catch {
            // The gateway may have ended meanwhile.
            guard DataDirectoryLock.owner(of: folder) != nil else { return }
            CommandNote.write("the store may lack the newest records: \(error.text)")
        }
    }

    /// Returns what a command says about the answer to `refresh`; nil when the store has everything.
    static func note(on answer: [UInt8]?) -> String? {
        guard let answer else {
            return "the gateway does not answer, and the store may lack the newest records; "
                + "`pulsegate status` shows the sink"
        }
        let object = try? ConfigurationNode(json5: String(decoding: answer, as: UTF8.self))
            .object(keys: ["refreshed", "pending"])
        if (try? object?["refreshed"]?.boolean()) == true { return nil }
        if let count = try? object?["pending"]?.integer(in: 1...Int.max) {
            return "the gateway is still storing records, and the store lacks the newest ones, "
                + "up to \(count); `pulsegate status` shows the sink"
        }
        return "the gateway cannot store the newest records now; `pulsegate status` shows the sink"
    }
}
