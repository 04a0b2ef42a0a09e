import GatewayCore
package import GatewayHost
import Glibc
package import HealthModel
package import Platform

/// The restore of a verified backup into a temporary folder, to find what would make it fail.
package struct RestoreTrial {
    private let file: BackupFile
    private let backup: VerifiedBackup
    private let folder: DataDirectory
    private let report: BackupFile.Report

    /// Restores and checks a backup; removes everything again.
    ///
    /// - Parameter report: Gets the bytes that are restored; an error that it throws ends the trial.
    package static func run(
        _ file: BackupFile, _ backup: VerifiedBackup, environment: Environment,
        types: QuantityTypes, sinkUses: [String], report: @escaping BackupFile.Report
    ) throws(HostError) {
        let base = environment.folder("TMPDIR") ?? "/var/tmp"
        var path = Array("\(base)/pulsegate-check.XXXXXX".utf8CString)
        guard mkdtemp(&path) != nil else {
            throw .system(
                "write to", base, errno: errno, remedy: "set $TMPDIR to a folder of yours")
        }
        let folder = String(decoding: path.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        defer { Folder.remove(folder) }
        let trial = RestoreTrial(
            file: file, backup: backup, folder: DataDirectory(path: folder), report: report)
        try trial.run(types, sinkUses)
    }

    private func run(_ types: QuantityTypes, _ sinkUses: [String]) throws(HostError) {
        let environment = Environment(variables: [
            "XDG_CONFIG_HOME": folder.path, "XDG_DATA_HOME": folder.path,
        ])
        let plan: RestorePlan
        do throws(HostError) {
            plan = try RestorePlan(
                backup, option: folder.resolve(BackupMember.configuration.name),
                environment: environment, types: types, sinkUses: sinkUses)
        } catch {
            throw RestoredContent.unusable(error.text)
        }
        try write()
        let store = backup.hasStore ? folder.resolve(BackupMember.store.name) : nil
        try RestoredContent(
            folder: folder, types: plan.configuration.configuration.types, store: store
        ).check()
    }

    /// Writes what is read again.
    private func write() throws(HostError) {
        var output: OutputFile?
        try file.read(report) { (member, part) throws(HostError) in
            switch part {
            case .begin:
                switch member {
                case .small, .store: output = try OutputFile(folder.resolve(member.name))
                default: break
                }
            case .piece(let bytes): try output?.write(bytes)
            case .end:
                try output?.commit()
                output = nil
            }
        }
    }
}
