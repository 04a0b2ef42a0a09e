import CCallMarks
import Glibc
import Synchronization

/// Marks of the calls that are in progress, by source and device.
///
/// A call of foreign code, such as the adapter of a device, may not return or may crash the process.
/// Its mark names the device: while the call lasts to a watchdog, and after a crash to the next start.
public final class CallMarks: Sendable {
    /// The maximum number of marks; further callers get none.
    private static let limit: Int32 = 2_048

    // Unsafe only for the compiler: the pointer never changes and lives as long as this object, and
    // the table has atomic members only, except the names, which their owner writes before use.
    private nonisolated(unsafe) let table: OpaquePointer
    private let unused: Mutex<[Int32]>
    /// The number of marks up to the highest one that was ever in use; the others are not looked at.
    private let reach = Atomic<Int32>(0)
    private let isWatched = Atomic(false)
    private let firstCall = Semaphore()

    /// Makes a table without marks; the program traps when there is no memory for it.
    public init() {
        guard let table = ccallmarks_make(Self.limit) else { fatalError("out of memory") }
        self.table = table
        unused = Mutex(Array((0..<Self.limit).reversed()))
    }

    deinit {
        ccallmarks_free(table)
    }

    /// Makes the mark of a device's calls; nil when there are too many.
    public func mark(source: String, device: String) -> CallMark? {
        let index = unused.withLock { unused -> Int32? in
            guard let index = unused.popLast() else { return nil }
            if index >= reach.load(ordering: .sequentiallyConsistent) {
                reach.store(index + 1, ordering: .sequentiallyConsistent)
            }
            return index
        }
        guard let index else { return nil }
        ccallmarks_take(table, index, source, device)
        return CallMark(self, index)
    }

    fileprivate func release(_ index: Int32) {
        ccallmarks_release(table, index)
        unused.withLock { $0.append(index) }
    }

    fileprivate func begin(_ index: Int32) {
        ccallmarks_begin(table, index)
        // The watchdog looks at all marks after it has cleared the flag, so that it misses none.
        guard !isWatched.load(ordering: .sequentiallyConsistent) else { return }
        if !isWatched.exchange(true, ordering: .sequentiallyConsistent) { firstCall.signal() }
    }

    fileprivate func end(_ index: Int32) { ccallmarks_end(table, index) }

    /// Lets a crash in a call write its mark to an open file; both must stay valid until the end of
    /// the process.
    ///
    /// Call it once: a process has one handler for a signal.
    package func recordCrashes(in file: Int32) {
        _ = Unmanaged.passRetained(self)
        ccallmarks_watch_faults(table, file)
    }

    /// The device of a source whose call has been in progress for the longest time; nil between calls.
    package func stalledDevice(of source: String) -> String? {
        snapshots.filter { $0.source == source }
            .compactMap { mark in mark.start.map { (device: mark.device, start: $0) } }
            .min { $0.start < $1.start }.map { LogFormat.escaped($0.device) }
    }

    // MARK: For the watchdog

    /// A mark at one moment.
    struct Snapshot: Hashable, Sendable {
        /// The number of the mark.
        let slot: Int32
        let source: String
        let device: String
        /// The start of the call in progress; nil between calls.
        let start: BootInstant?
        /// The number of finished calls and their total time in nanoseconds.
        let count: Int64
        let busyNanoseconds: Int64
        /// The memory that its calls have kept since ``measureMemory(_:)``, in bytes.
        var keptBytes: Int64 = 0
    }

    /// Measures the memory that calls keep, from now on or no longer.
    func measureMemory(_ measures: Bool) { ccallmarks_measure_memory(table, measures) }

    /// Waits until a call begins, or until ``endWait()``.
    func waitForCall() { firstCall.wait() }

    /// Ends the wait without a call.
    func endWait() { firstCall.signal() }

    /// Lets the next call end the wait.
    func rearm() { isWatched.store(false, ordering: .sequentiallyConsistent) }

    /// Whether nobody has ended the wait since ``rearm()``; then the caller goes on without a wait.
    func claimWatch() -> Bool { !isWatched.exchange(true, ordering: .sequentiallyConsistent) }

    /// The marks in use.
    var snapshots: [Snapshot] {
        (0..<reach.load(ordering: .sequentiallyConsistent)).compactMap { index in
            var copy = ccallmarks_copy()
            guard ccallmarks_read(table, index, &copy) else { return nil }
            return Snapshot(
                slot: index, source: Self.text(copy.source), device: Self.text(copy.device),
                start: copy.since == 0 ? nil : BootInstant(nanoseconds: copy.since),
                count: copy.count, busyNanoseconds: copy.busy, keptBytes: copy.kept)
        }
    }

    /// The text of an array of characters that ends with a null character.
    static func text<Characters>(_ characters: Characters) -> String {
        withUnsafeBytes(of: characters) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
    }
}

/// The mark of the calls for one device; it is in use until this object is released.
public final class CallMark: Sendable {
    private let marks: CallMarks
    private let index: Int32

    fileprivate init(_ marks: CallMarks, _ index: Int32) {
        self.marks = marks
        self.index = index
    }

    deinit {
        marks.release(index)
    }

    /// Marks a call while it lasts.
    public func during<Result>(_ call: () -> Result) -> Result {
        marks.begin(index)
        defer { marks.end(index) }
        return call()
    }
}
