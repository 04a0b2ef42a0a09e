import Glibc

/// A time in which a ``FakeBlueZ`` does nothing, as a bluetoothd that is stuck.
///
/// It ends with ``end()``.
public final class FakeHang: Sendable {
    private let ends: (read: Int32, write: Int32)

    fileprivate init() {
        var ends: [Int32] = [-1, -1]
        precondition(pipe(&ends) == 0, "no pipe")
        self.ends = (ends[0], ends[1])
    }

    deinit {
        close(ends.read)
        close(ends.write)
    }

    /// Ends the time.
    public func end() { _ = write(ends.write, [0], 1) }

    fileprivate func wait() {
        var byte: UInt8 = 0
        _ = read(ends.read, &byte, 1)
    }
}

extension FakeBlueZ {
    /// Stops to respond to anything, also to `Ping`, until the hang is ended; nothing is lost.
    public nonisolated func hang() async -> FakeHang {
        let hang = FakeHang()
        await withCheckedContinuation { started in
            Task { await self.block(until: hang) { started.resume() } }
        }
        return hang
    }

    /// Blocks the thread of its bus, which is its own.
    private func block(until hang: FakeHang, started: @Sendable () -> Void) {
        started()
        hang.wait()
    }
}
