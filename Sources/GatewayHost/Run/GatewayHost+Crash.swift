import GatewayCore
import Platform

extension GatewayHost {
    /// Reports what ended the last run if it crashed in the adapter of a device, or if a loop did not
    /// answer, and keeps a device that has done so twice in quarantine.
    func takeNotes(in folder: DataDirectory) async throws(HostError) {
        let path = folder.resolve(DataFiles.crashNote)
        try TextFile.checkKind(of: path)
        let crash = CrashNote.take(from: path, for: maker.marks)
        let hang = HangNote.take(from: folder)
        if let hang {
            log.named("watchdog").error(
                "the last run ended while it did not answer", fields: hang.fields)
        } else if let crash {
            log.named(crash.source).error(
                "the last run crashed while decoding the data of a device",
                ["device": crash.device, "signal": "\(crash.signal)"])
        }
        // The signal that ends a hung run may find the thread of the adapter, which leaves both notes.
        let device = hang.map(\.device) ?? crash?.device
        let file = CrashedDevicesFile(crashesIn: folder)
        let known = try file.read().count
        guard device != nil || known > 0 else { return }
        maker.quarantine.add(try await file.note(crashOf: device, version: Version.current))
    }
}
