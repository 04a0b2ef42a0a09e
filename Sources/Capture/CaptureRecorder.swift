import Bluetooth
package import GatewayCore
import Glibc
package import HealthModel
import JSON
package import Platform
import Readings

/// Records the raw traffic of all devices in a file.
///
/// Every event is one write of whole lines at the end of the file, so that after a crash only the
/// last line can be incomplete. The file is readable by its owner only, because it has health data.
package actor CaptureRecorder: TrafficRecorder {
    /// A source and a device of it.
    private struct Key: Hashable {
        let source: String
        let device: String
    }

    /// What is known of a device in the file.
    private struct Entry {
        let number: Int
        var device: Device?
        var adapter: JSONValue?
        var isOpen = false
    }

    private let path: String
    private let descriptor: Int32
    private let clock: any GatewayClock
    private let log: Logger
    private let isAnonymous: Bool
    private let executor = QueueExecutor(label: "capture")
    private var entries: [Key: Entry] = [:]
    private var epochNumber: Int
    /// Why the capture ended early; nil while it continues.
    package private(set) var failure: CaptureError?
    private var hasReportedSkip = false

    /// Creates the file and writes the header.
    ///
    /// - Parameters:
    ///   - version: The version of the gateway.
    ///   - earliest: A clock that shows an earlier time is not set.
    ///   - replaces: Whether to replace an existing file.
    ///   - isAnonymous: Whether to leave out the names, addresses and serial numbers of devices.
    /// - Throws: ``CaptureError`` if the file exists or cannot be written.
    package init(
        _ path: String, version: String, earliest: Instant, replaces: Bool, isAnonymous: Bool,
        calendar: LocalCalendar, clock: any GatewayClock, log: Logger
    ) throws(CaptureError) {
        let descriptor = try Self.create(path, replaces: replaces)
        let (epoch, now) = (clock.epoch(), clock.now())
        epochNumber = epoch.number
        let header = CaptureHeader(
            version: version, earliest: earliest,
            utcOffsetSeconds: calendar.secondsFromUTC(at: epoch.instant(at: now)), start: now,
            clockOffset: epoch.offsetNanoseconds)
        self.path = path
        self.descriptor = descriptor
        self.clock = clock
        self.log = log.named("capture")
        self.isAnonymous = isAnonymous
        do throws(OutputDescriptor.Failure) {
            try OutputDescriptor(descriptor: descriptor).write(CaptureEncoder.line(header))
        } catch {
            throw .system("write", path: path, code: error.code)
        }
    }

    deinit {
        close(descriptor)
    }

    /// The queue on which a write may block.
    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
    }

    /// Records a report of a source.
    ///
    /// A source that reports no traffic, such as a program, is not captured.
    package func record(_ report: DeviceReport, from source: String) async {
        guard failure == nil else { return }
        let key = Key(source: source, device: report.device)
        switch report.content {
        case .traffic(.adapter(let adapter)): entry(key) { $0.adapter = adapter.withoutEnvironment }
        case .traffic(.device(let device)): changed(device, key)
        case .traffic(.received(let bytes, let channel, let moment)):
            received(bytes, on: channel, at: moment, from: key)
        case .opened(let device, let moment): opened(device, at: moment, key)
        case .stale(let moment, let reason):
            write(key) { .stale($0.number, at: moment, reason: text(reason, key)) }
        case .closed(let moment, let reason):
            write(key) { .closed($0.number, at: moment, reason: text(reason, key)) }
            entries[key]?.isOpen = false
            entries[key]?.adapter = nil
        case .forgotten:
            if let entry = entries[key], entry.device != nil {
                write([.forgotten(entry.number, at: clock.now())])
            }
            entries[key]?.isOpen = false
        case .readings, .records, .dropped, .discarded, .seen, .link: break
        }
    }

    private func opened(_ device: Device, at moment: BootInstant, _ key: Key) {
        guard let entry = entries[key], let adapter = entry.adapter else { return }
        let properties = properties(device, key)
        let opened = CaptureEvent.opened(entry.number, at: moment, adapter: adapter)
        entries[key]?.isOpen = write(properties + [opened])
    }

    /// Writes new properties of a device whose link is open.
    private func changed(_ device: Device, _ key: Key) {
        guard entries[key]?.isOpen == true else { return }
        write(properties(device, key))
    }

    /// The line of a device whose properties are not those of its last line.
    private func properties(_ device: Device, _ key: Key) -> [CaptureEvent] {
        guard let entry = entries[key] else { return [] }
        let known = shown(device, key, entry.number)
        guard entry.device != known else { return [] }
        entries[key]?.device = known
        return [.device(entry.number, source: key.source, known)]
    }

    private func received(
        _ bytes: [UInt8], on channel: Channel, at moment: BootInstant, from key: Key
    ) {
        let uuid = BluetoothUUID(channel.name)
        guard !isAnonymous || uuid != .serialNumber && !Self.isIdentity(bytes, on: channel)
        else { return }
        let channel = uuid.map { Channel($0.shortest) } ?? channel
        var rest = bytes[...]
        repeat {
            let part = Array(rest.prefix(CaptureFormat.maximumReceived))
            rest = rest.dropFirst(part.count)
            write(key) { .received($0.number, at: moment, part, on: channel) }
        } while !rest.isEmpty
    }

    /// Whether a line of a decoder reports the properties of the device, which may name its owner.
    private static func isIdentity(_ bytes: [UInt8], on channel: Channel) -> Bool {
        channel.isOfProgram && String(decoding: bytes, as: UTF8.self).contains(text: "\"identity\"")
    }

    /// Changes the entry of a device, creating it if it is new.
    private func entry(_ key: Key, _ change: (inout Entry) -> Void) {
        var entry = entries[key] ?? Entry(number: entries.count + 1)
        guard entry.number <= CaptureFormat.maximumDevices else {
            return reportSkip("more than \(CaptureFormat.maximumDevices) devices")
        }
        change(&entry)
        entries[key] = entry
    }

    /// Writes an event of a device whose link is open.
    private func write(_ key: Key, _ event: (Entry) -> CaptureEvent) {
        guard let entry = entries[key], entry.isOpen else { return }
        write([event(entry)])
    }

    /// Writes events, after a change of the clock; false if they could not be written.
    @discardableResult
    private func write(_ events: [CaptureEvent]) -> Bool {
        let epoch = clock.epoch()
        let step: [CaptureEvent] =
            epoch.number == epochNumber ? [] : [.clock(offset: epoch.offsetNanoseconds)]
        let lines = (step + events).map(CaptureEncoder.line)
        guard lines.allSatisfy({ $0.count <= CaptureFormat.maximumLineLength }) else {
            reportSkip("a line is longer than 64 KiB")
            return false
        }
        do throws(OutputDescriptor.Failure) {
            try OutputDescriptor(descriptor: descriptor).write(lines.flatMap { $0 })
        } catch {
            // The file may end within a line; more lines would make it unreadable.
            let failure = CaptureError.system("write", path: path, code: error.code)
            self.failure = failure
            log.error("capture ended early", ["reason": "\(failure)"])
            return false
        }
        epochNumber = epoch.number
        return true
    }

    private func reportSkip(_ reason: String) {
        guard !hasReportedSkip else { return }
        hasReportedSkip = true
        log.warning("the capture is incomplete", ["reason": reason])
    }

    /// Returns the properties of a device that the file may have.
    private func shown(_ device: Device, _ key: Key, _ number: Int) -> Device {
        guard isAnonymous else {
            return device.merging(Device(localIdentifier: key.device))
        }
        return Device(
            manufacturer: device.manufacturer, model: device.model,
            hardwareVersion: device.hardwareVersion, firmwareVersion: device.firmwareVersion,
            softwareVersion: device.softwareVersion, localIdentifier: "device-\(number)")
    }

    /// Returns a reason without the identifier of the device, if the file may not have it.
    private func text(_ reason: String, _ key: Key) -> String {
        isAnonymous ? reason.replacing(text: key.device, with: "the device") : reason
    }

    private static func create(_ path: String, replaces: Bool) throws(CaptureError) -> Int32 {
        // A pipe that nobody reads is an error, and does not wait for a reader.
        let mode = O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY | O_NONBLOCK
        let descriptor = open(path, mode | (replaces ? O_TRUNC : O_EXCL), 0o600)
        let code = errno
        guard descriptor >= 0 else {
            throw code == EEXIST
                ? .exists(path: path) : .system("create", path: path, code: code)
        }
        var status = stat()
        // An existing file may be readable by others; a pipe or a device is left as it is.
        guard fstat(descriptor, &status) == 0,
            status.st_mode & S_IFMT != S_IFREG || fchmod(descriptor, 0o600) == 0
        else {
            let code = errno
            close(descriptor)
            throw .system("create", path: path, code: code)
        }
        _ = fcntl(descriptor, F_SETFL, O_APPEND)
        return descriptor
    }
}

extension JSONValue {
    /// The settings of an adapter without the variables of its program, which may be secrets.
    fileprivate var withoutEnvironment: JSONValue {
        switch self {
        case .object(let object):
            .object(object.filter { $0.key != "environment" }.mapValues(\.withoutEnvironment))
        case .array(let array): .array(array.map(\.withoutEnvironment))
        case .null, .boolean, .number, .string: self
        }
    }
}
