import Glibc

/// Where a thread that has nothing to do sleeps until it is signalled.
protocol SleepingPlace: Sendable {
    /// Ends the sleep of one thread, of a present one or the next.
    func signal()

    /// Sleeps until it is signalled, or until something else has happened here.
    ///
    /// - Returns: Whether it was signalled; each signal ends one sleep.
    func sleep() -> Bool

    /// Ends one sleep at this time, and none at the time that was set before; nil sets none.
    ///
    /// - Returns: Whether it will; false if this place has no timer.
    func wake(at time: BootInstant?) -> Bool

    /// Notes that the last thread of a pool has ended.
    func leave()
}

extension SleepingPlace {
    /// Returns false: most places have no timer.
    func wake(at time: BootInstant?) -> Bool { false }

    /// Does nothing.
    func leave() {}
}

/// A counting semaphore (sem_overview(7)).
final class Semaphore: SleepingPlace {
    // Unsafe only for the compiler: the pointer never changes and lives as long as this object, and any
    // threads may call sem_post and sem_wait on one semaphore at the same time.
    private nonisolated(unsafe) let semaphore: UnsafeMutablePointer<sem_t>

    /// Makes a semaphore with the value 0.
    init() {
        semaphore = .allocate(capacity: 1)
        sem_init(semaphore, 0, 0)
    }

    deinit {
        sem_destroy(semaphore)
        semaphore.deallocate()
    }

    /// Ends one wait, the current one or the next.
    func signal() {
        sem_post(semaphore)
    }

    /// Sleeps until it is signalled.
    func wait() {
        // Only an interruption by a signal handler can fail.
        while sem_wait(semaphore) != 0 {}
    }

    func sleep() -> Bool {
        wait()
        return true
    }
}
