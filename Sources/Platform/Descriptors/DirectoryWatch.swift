import CEpoll
import Glibc

/// A watch on a directory for new files and changed attributes, or for all changes (inotify(7)).
///
/// It reports every event since its creation.
package final class DirectoryWatch: WatchedDescriptor {
    /// The system refused an operation with this `errno`.
    package struct Failure: Error, Equatable {
        package let operation: String
        package let code: Int32
    }

    /// Large enough for an event with the longest file name.
    private static let readLimit = 4_096

    package let number: Int32

    /// Starts to watch a directory.
    ///
    /// - Parameter includingWrites: Whether a write to a file and the removal of one are events too.
    package init(_ path: String, includingWrites: Bool = false) throws(Failure) {
        let descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
        guard descriptor >= 0 else { throw Failure(operation: "inotify_init1", code: errno) }
        let writes = includingWrites ? IN_MODIFY | IN_DELETE | IN_MOVED_FROM : 0
        let events = IN_CREATE | IN_MOVED_TO | IN_ATTRIB | IN_ONLYDIR | writes
        guard inotify_add_watch(descriptor, path, UInt32(events)) >= 0 else {
            let code = errno
            close(descriptor)
            throw Failure(operation: "inotify_add_watch", code: code)
        }
        number = descriptor
    }

    deinit {
        close(number)
    }

    package var notOpen: Failure { Failure(operation: "inotify", code: EBADF) }

    package func failure(of operation: String, code: Int32) -> Failure {
        Failure(operation: operation, code: code)
    }

    /// Waits until a condition holds, which is checked after each event; returns false when the
    /// task is cancelled or the wait fails.
    package func wait(until condition: () -> Bool) async -> Bool {
        var isMet = false
        await forEachEvent {
            isMet = condition()
            return !isMet
        }
        return isMet
    }

    /// Calls the body after each event, or after several, until it returns false; returns also when the
    /// task is cancelled or the wait fails.
    package func forEachEvent(_ body: () async -> Bool) async {
        let poller = DescriptorPoller()
        guard let readable = try? poller.watch(self, .readable) else { return }
        defer { readable.close() }
        while (try? await readable.wait()) != nil {
            while !SystemCall.read(number, limit: Self.readLimit).bytes.isEmpty {}
            guard await body() else { return }
        }
    }
}
