import GatewayCore
import Glibc
import HealthModel
import JSON

/// A sink that never returns.
struct NeverEndingSink: Sink {
    static let factory = SinkFactory(use: "neverEnds", keys: []) {
        _, _ throws(ConfigurationError) in NeverEndingSink()
    }

    func write(_ batch: [Record]) async throws {
        while !Task.isCancelled { try? await Task.sleep(nanoseconds: 1_000_000_000) }
        while true { await Task.yield() }
    }
}

/// A sink that throws what it likes.
struct ThrowingSink: Sink {
    struct Failure: Error, CustomStringConvertible {
        let description = String(repeating: "x", count: 1_000_000)
    }

    static let factory = SinkFactory(use: "throws", keys: []) {
        _, _ throws(ConfigurationError) in ThrowingSink()
    }

    func write(_ batch: [Record]) async throws { throw Failure() }
}

/// A sink that keeps its thread.
struct SpinningSink: Sink {
    static let factory = SinkFactory(use: "spins", keys: []) {
        _, _ throws(ConfigurationError) in SpinningSink()
    }

    func write(_ batch: [Record]) async throws {
        while true { pause() }
    }
}

/// A source that returns at once.
struct EndingSource: Source {
    static let factory = SourceFactory(
        use: "ends", make: { _, _ throws(ConfigurationError) in EndingSource() })

    func run(into inlet: any ReadingInlet) async throws {}
}

/// A source that keeps its thread.
struct BlockingSource: Source {
    static let factory = SourceFactory(
        use: "blocking", make: { _, _ throws(ConfigurationError) in BlockingSource() })

    func run(into inlet: any ReadingInlet) async throws {
        while true { pause() }
    }
}
