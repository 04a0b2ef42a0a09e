import CStart
import Glibc

/// The signals that stop, reload or resize a command, caught since before `main`.
package enum ProcessSignals {
    /// Starts to catch SIGINT, SIGTERM and SIGHUP, and ensures that the descriptors 0 to 2 are
    /// open.
    package static func install() {
        cstart_begin()
    }

    /// Restores the default action of the signals, also for one that is pending.
    package static func restoreDefaults() {
        cstart_allow_signals()
    }

    /// Waits for a signal without a timeout and returns its number; a pending one counts.
    package static func wait() -> Int32 {
        cstart_wait_for_signal(-1)
    }

    /// Ends the process as if it had not caught this signal, so that the shell sees why it ended.
    package static func end(by number: Int32) -> Never {
        restoreDefaults()
        raise(number)
        // A blocked signal ends nothing.
        _exit(128 + number)
    }

    /// Starts to catch SIGWINCH, which reports a change of the terminal's size.
    package static func catchResizes() {
        cstart_catch_resizes()
    }

    /// Waits for a SIGWINCH; a pending one counts.
    ///
    /// - Parameter seconds: The timeout; nil for none.
    /// - Returns: False when the timeout has passed.
    package static func waitForResize(seconds: Double? = nil) -> Bool {
        cstart_wait_for_resize(seconds ?? -1) != 0
    }
}

/// The heap of the process.
package enum ProcessHeap {
    /// Makes all threads share one heap; call it before the first thread starts.
    ///
    /// One thread releases what another has allocated. With a heap for each thread, glibc's
    /// default, every thread would retain the memory of the largest batches.
    package static func share() {
        cstart_share_heap()
    }
}
