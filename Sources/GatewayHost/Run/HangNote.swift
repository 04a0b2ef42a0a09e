import GatewayCore
import Glibc
import JSON
import Platform

/// The note about loops that did not answer, which the next start reports.
///
/// A run that recovers, or that stops cleanly, removes it.
struct HangNote: Equatable, Sendable {
    private static let loopsKey = "loops"
    private static let deviceKey = "device"
    private static let secondsKey = "seconds"
    /// The maximum number of loops in a note.
    private static let loopLimit = 100

    /// The names of the loops, with a comma between two.
    let names: String
    /// The device whose adapter does not return, if it is one.
    let device: String?
    /// How long the loops had not answered.
    let seconds: Int

    init(names: String, device: String?, seconds: Int) {
        self.names = names
        self.device = device
        self.seconds = seconds
    }

    /// Makes the note of the watchdog.
    init(_ loops: [ProbedLoop], seconds: Int, _ marks: CallMarks) {
        names = loops.prefix(Self.loopLimit).map(\.description).joined(separator: ", ")
        self.seconds = seconds
        device =
            loops.lazy.compactMap { loop in
                if case .source(let name) = loop { marks.stalledDevice(of: name) } else { nil }
            }.first
    }

    /// Logs that the loops do not answer.
    func log(to log: Logger) {
        log.error(
            "no answer; the service manager ends the gateway and starts it again", fields: fields)
    }

    /// The details for the log.
    var fields: [(key: String, value: String)] {
        [(Self.loopsKey, names)] + (device.map { [(Self.deviceKey, $0)] } ?? [])
            + [(Self.secondsKey, "\(seconds)")]
    }

    // MARK: The file

    private var json: String {
        var object: [String: JSONValue] = [
            Self.loopsKey: .string(names), Self.secondsKey: .number(Double(seconds)),
        ]
        object[Self.deviceKey] = device.map { .string($0) }
        return JSONValue.object(object).json
    }

    /// Writes the note; a failure is logged.
    func write(in folder: DataDirectory, _ log: Logger) {
        do throws(HostError) {
            try TextFile.replace(
                folder.resolve(DataFiles.hangNote), draft: folder.resolve(DataFiles.hangNoteDraft),
                with: json + "\n")
        } catch {
            log.warning("cannot write the note for the next start", ["reason": error.text])
        }
    }

    /// Removes the note.
    static func remove(in folder: DataDirectory) { unlink(folder.resolve(DataFiles.hangNote)) }

    /// Reads the note of the last run and removes it; nil when there is none that can be read.
    static func take(from folder: DataDirectory) -> HangNote? {
        defer { remove(in: folder) }
        guard let text = try? TextFile.read(folder.resolve(DataFiles.hangNote)) else { return nil }
        return HangNote(json: text)
    }

    /// Reads the content of the file.
    init?(json: String) {
        guard let node = try? ConfigurationNode(json5: json),
            let object = try? node.object(
                keys: [Self.loopsKey, Self.deviceKey, Self.secondsKey]),
            let names = try? object.require(Self.loopsKey).string(),
            let seconds = try? object.require(Self.secondsKey).integer(in: 0...1_000_000)
        else { return nil }
        self.names = LogFormat.cut(names)
        self.seconds = seconds
        device = try? object[Self.deviceKey]?.string()
    }
}
