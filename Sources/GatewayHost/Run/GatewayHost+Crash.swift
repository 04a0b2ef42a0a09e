import GatewayCore
import Platform

extension GatewayHost {
    /// Reports the crash of the last run, if it was in the adapter of a device, and keeps a device
    /// that has crashed the gateway twice in quarantine.
    func takeCrashNote(in folder: DataDirectory) async throws(HostError) {
        let note = CrashNote.take(
            from: folder.resolve(DataFiles.crashNote), for: maker.marks)
        let file = CrashedDevicesFile(crashesIn: folder)
        if let note {
            log.named(note.source).error(
                "the last run crashed while decoding the data of a device",
                ["device": note.device, "signal": "\(note.signal)"])
        }
        let known = try file.read().count
        guard note != nil || known > 0 else { return }
        maker.quarantine.add(try await file.note(crashOf: note?.device, version: Version.current))
    }
}
