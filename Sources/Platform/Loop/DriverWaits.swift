import CEpoll
import CThreads
import Glibc

/// What a ``LoopDriver`` waits for, as one descriptor: it is readable while the driver has work.
final class DriverWaits {
    private static let eventLimit = 64
    /// The event of the timer; the others have the number of their descriptor.
    private static let timerNumber = UInt64.max
    /// The time after which the driver is asked again when the system cannot watch a descriptor.
    private static let retryMicroseconds: UInt64 = 100_000

    /// The descriptor of the set (epoll(7)).
    let descriptor: Int32
    private let timer: Int32
    private var watched: [pollfd] = []
    /// The time for which the timer is set; nil after it has fired.
    private var deadline: UInt64? = .max

    init() throws(LoopFailure) {
        descriptor = epoll_create1(Int32(EPOLL_CLOEXEC))
        guard descriptor >= 0 else { throw LoopFailure(operation: "epoll_create1", code: errno) }
        timer = cthreads_make_timer()
        guard timer >= 0 else {
            let code = errno
            close(descriptor)
            throw LoopFailure(operation: "timerfd_create", code: code)
        }
        // Edge-triggered: a timer that has fired needs no read.
        let events = EPOLLIN.rawValue | EPOLLET.rawValue
        guard control(EPOLL_CTL_ADD, timer, events, Self.timerNumber) else {
            let code = errno
            close(timer)
            close(descriptor)
            throw LoopFailure(operation: "epoll_ctl", code: code)
        }
    }

    deinit {
        close(timer)
        close(descriptor)
    }

    /// Waits for these descriptors from now on, and until a time of
    /// ``SystemTime/monotonicMicroseconds()``, or `.max` for none.
    ///
    /// - Returns: Whether the time has passed already.
    func update(_ descriptors: [pollfd], deadline: UInt64) -> Bool {
        removeOthers(than: descriptors)
        var isComplete = true
        for entry in descriptors where !add(entry) { isComplete = false }
        watched = descriptors
        guard deadline != .max || !isComplete else {
            stopTimer()
            return false
        }
        let now = SystemTime.monotonicMicroseconds()
        let next = isComplete ? deadline : min(deadline, now + Self.retryMicroseconds)
        guard next > now else { return true }
        setTimer(next, now: now)
        return false
    }

    private func removeOthers(than descriptors: [pollfd]) {
        guard !watched.elementsEqual(descriptors, by: { $0.fd == $1.fd }) else { return }
        let kept = Set(descriptors.map(\.fd))
        // One that was closed meanwhile has left the set, or is reported once at most.
        for old in watched where !kept.contains(old.fd) { control(EPOLL_CTL_DEL, old.fd, 0, 0) }
    }

    /// Reports a descriptor once more when it has one of the events; false if the system cannot.
    ///
    /// It is added when it is not there: a descriptor leaves the set when it is closed, and another one may
    /// have got its number since. One of which somebody else has a duplicate stays, so each is reported once
    /// only, and not again unless the driver still lists it.
    private func add(_ entry: pollfd) -> Bool {
        let events = UInt32(UInt16(bitPattern: entry.events)) | EPOLLONESHOT.rawValue
        let number = UInt64(UInt32(bitPattern: entry.fd))
        if control(EPOLL_CTL_MOD, entry.fd, events, number) { return true }
        return errno == ENOENT && control(EPOLL_CTL_ADD, entry.fd, events, number)
    }

    private func stopTimer() {
        guard deadline != .max else { return }
        deadline = .max
        cthreads_set_timer(timer, 0)
    }

    private func setTimer(_ time: UInt64, now: UInt64) {
        guard time != deadline else { return }
        deadline = time
        // More than a century is no time that anybody waits for.
        let wait = Int64(min(time - now, 1 << 52)) * 1_000
        let end = SystemTime.boot().adding(nanoseconds: wait)
        // Zero would stop it.
        cthreads_set_timer(timer, max(end.nanoseconds, 1))
    }

    /// The descriptors of the last ``update(_:deadline:)`` with what has happened to them; empty if
    /// nothing has.
    func ready() -> [pollfd] {
        withUnsafeTemporaryAllocation(of: epoll_event.self, capacity: Self.eventLimit) { events in
            let count = epoll_wait(descriptor, events.baseAddress, Int32(Self.eventLimit), 0)
            var ready: [pollfd] = []
            for event in events.prefix(Int(max(count, 0))) {
                if event.data.u64 == Self.timerNumber {
                    deadline = nil
                    continue
                }
                if ready.isEmpty { ready = watched }
                note(event, in: &ready)
            }
            return ready
        }
    }

    private func note(_ event: epoll_event, in ready: inout [pollfd]) {
        let number = Int32(truncatingIfNeeded: event.data.u64)
        guard let index = ready.firstIndex(where: { $0.fd == number }) else { return }
        ready[index].revents = Int16(truncatingIfNeeded: event.events)
    }

    @discardableResult
    private func control(
        _ operation: Int32, _ number: Int32, _ events: UInt32, _ data: UInt64
    ) -> Bool {
        var event = epoll_event(events: events, data: epoll_data_t(u64: data))
        return epoll_ctl(descriptor, operation, number, &event) == 0
    }
}
