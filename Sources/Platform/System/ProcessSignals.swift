import CStart

/// The signals that stop, reload or resize a command, caught from before `main` on.
package enum ProcessSignals {
    /// Begins to catch SIGINT, SIGTERM and SIGHUP, and sees that the descriptors 0 to 2 are open.
    package static func begin() {
        cstart_begin()
    }

    /// Gives the signals their usual effect back, also to one that came already.
    package static func allow() {
        cstart_allow_signals()
    }

    /// Waits for a signal, as long as it takes, and returns its number; one that came before counts.
    package static func wait() -> Int32 {
        cstart_wait_for_signal(-1)
    }

    /// Begins to catch SIGWINCH, which reports another size of the terminal.
    package static func catchResizes() {
        cstart_catch_resizes()
    }

    /// Waits for a SIGWINCH; one that came before counts.
    ///
    /// - Returns: false when none has come within a number of seconds; nil waits for ever.
    package static func waitForResize(seconds: Double? = nil) -> Bool {
        cstart_wait_for_resize(seconds ?? -1) != 0
    }
}

/// The heap of the process.
package enum ProcessHeap {
    /// Lets all threads share one heap; to be called before there are any.
    ///
    /// What one thread fills another releases. With a heap for each thread, as is glibc's way, every
    /// thread would keep the memory of the largest batches.
    package static func share() {
        cstart_share_heap()
    }
}
