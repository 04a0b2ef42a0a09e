import GatewayCore
import Glibc
import Platform
import Synchronization

/// Reads from many descriptors and records the time of each read.
///
/// One thread polls all of them; lines are parsed afterwards.
final class LineClients {
    /// The result of one read.
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

    /// Reads from descriptors, which are closed in `deinit`.
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

    /// The number of lines of each client.
    var lineCounts: [Int] { collection.state.withLock { $0.lines } }

    /// Returns and removes everything read since the last call, in order.
    func drain() -> [Piece] {
        collection.state.withLock { state in
            defer { state.pieces = [] }
            return state.pieces
        }
    }

    /// Makes a pair of connected sockets that child processes do not inherit.
    static func socketPair() throws -> (Int32, Int32) {
        var ends: [Int32] = [-1, -1]
        let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, type, 0, &ends) == 0 else {
            throw BenchmarkError("cannot make a socket: \(String(cString: strerror(errno)))")
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
                    // End of file: poll ignores negative descriptors.
                    watches[client].fd = -1
                }
            }
        }
    }
}
