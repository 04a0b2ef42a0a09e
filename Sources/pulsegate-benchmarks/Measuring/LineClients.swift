import GatewayCore
import Glibc
import Platform
import Synchronization

/// Reads what comes on many descriptors, and notes when it came.
///
/// One thread waits for all of them and does nothing else: lines are looked at afterwards.
final class LineClients {
    /// What one read gave.
    struct Piece {
        let client: Int
        /// On the monotonic clock.
        let seconds: Double
        let bytes: [UInt8]
    }

    private final class Collection: Sendable {
        struct State {
            var pieces: [Piece] = []
            var lines: [Int]
        }

        let state: Mutex<State>

        init(count: Int) {
            state = Mutex(State(lines: Array(repeating: 0, count: count)))
        }

        func note(_ piece: Piece) {
            let lines = piece.bytes.count { $0 == UInt8(ascii: "\n") }
            state.withLock { state in
                state.pieces.append(piece)
                state.lines[piece.client] += lines
            }
        }
    }

    private static let readLimit = 65_536

    private let collection: Collection
    private let descriptors: [Int32]
    private let stop: Int32
    private let thread: JoinableThread

    /// Reads these descriptors, which it closes at its end.
    init(_ descriptors: [Int32]) throws {
        let (stopped, stop) = try Self.socketPair()
        let collection = Collection(count: descriptors.count)
        self.collection = collection
        self.descriptors = descriptors + [stopped]
        self.stop = stop
        thread = try JoinableThread(name: "clients") {
            Self.read(descriptors, until: stopped, into: collection)
        }
    }

    deinit {
        close(stop)
        thread.join()
        for descriptor in descriptors { close(descriptor) }
    }

    /// How many lines each of them has got.
    var lineCounts: [Int] { collection.state.withLock { $0.lines } }

    /// What was read since the last time, in order.
    func take() -> [Piece] {
        collection.state.withLock { state in
            defer { state.pieces = [] }
            return state.pieces
        }
    }

    /// Two ends that no child inherits.
    static func socketPair() throws -> (Int32, Int32) {
        var ends: [Int32] = [-1, -1]
        let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, type, 0, &ends) == 0 else {
            throw BenchmarkError("there are no sockets")
        }
        return (ends[0], ends[1])
    }

    private static func read(
        _ descriptors: [Int32], until stopped: Int32, into collection: Collection
    ) {
        var watches = (descriptors + [stopped]).map {
            pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
        }
        var bytes = [UInt8](repeating: 0, count: readLimit)
        while true {
            guard poll(&watches, nfds_t(watches.count), -1) > 0 || errno == EINTR,
                watches[descriptors.count].revents == 0
            else { return }
            for client in descriptors.indices where watches[client].revents != 0 {
                let count = Glibc.read(descriptors[client], &bytes, bytes.count)
                let now = Meter.wallSeconds
                if count > 0 {
                    collection.note(
                        Piece(client: client, seconds: now, bytes: Array(bytes[..<count])))
                } else {
                    // It has ended; it is not looked at any more.
                    watches[client].fd = -1
                }
            }
        }
    }
}
