import ControlSocket
import GatewayCore
import GatewayHost
import HealthTransfer
import Platform

/// Completes imports of workouts that were interrupted, such as by a power failure.
package struct InterruptedImports {
    /// The timeout for the end of the gateway that has stored them, in seconds.
    private static let endSeconds = 5.0

    private let call: Subcommand.Call
    private let files: CommandFiles

    package init(call: Subcommand.Call, files: CommandFiles) {
        self.call = call
        self.files = files
    }

    /// Completes them, unless another import is in progress, which does the same.
    package func completeIfFree() async {
        do throws(HostError) {
            let clock = SystemClock()
            guard let imports = try await PendingImports(ifFreeIn: files.folder, clock: clock),
                await complete(imports) > 0, !ControlClient.canReach(files.folder)
            else { return }
            let end = clock.now().adding(seconds: Self.endSeconds)
            _ = try await DataDirectoryLock.wait(for: files.folder, until: end, on: clock)
        } catch {
            CommandNote.write(error.text)
        }
    }

    /// Completes them; one that fails is kept for the next time.
    ///
    /// - Returns: How many there were.
    @discardableResult
    func complete(_ imports: PendingImports) async -> Int {
        do throws(HostError) {
            let files = try imports.interrupted()
            for file in files { await complete(file, imports) }
            return files.count
        } catch {
            CommandNote.write(error.text)
            return 0
        }
    }

    private func complete(_ file: WorkoutImportFile, _ imports: PendingImports) async {
        let name = LogFormat.escaped(file.name)
        do throws(HostError) {
            guard try files.people().names.contains(file.person) else {
                CommandNote.write("\(name): the interrupted import is given up: no such person")
                return imports.end(file)
            }
            let result = try await WorkoutImport(call, files, person: file.person)
                .run(file, imports)
            imports.end(file)
            CommandNote.write("\(name): the interrupted import is complete: \(result)")
        } catch {
            CommandNote.write(
                "\(name): the interrupted import is not complete: \(error.text); the next import or "
                    + "gateway tries again, until you remove \(file.copy ?? file.name)")
        }
    }
}
