import Platform

/// The thread of a ``BusLoop``: one of its own, or in turns those of a pool, never two at a time.
///
/// What is touched on the thread alone needs no lock: the turns of a ``PooledLoop`` follow each other under a mutex.
enum BusThread: Sendable {
    case own(EventLoop<BusConnections>)
    case pooled(PooledLoop<BusConnections>)

    /// Takes the threads of the pool that serves a poller, or starts a thread if there is none.
    init(label: String, servedBy poller: DescriptorPoller?) throws(LoopFailure) {
        if let poller, let loop = try PooledLoop.start(on: poller, makeDriver: { BusConnections() })
        {
            self = .pooled(loop)
        } else {
            self = .own(try EventLoop.start(name: label) { BusConnections() })
        }
    }

    /// Whether the caller is on the thread, in a turn of the loop.
    var isCurrent: Bool {
        switch self {
        case .own(let loop): loop.isCurrent
        case .pooled(let loop): loop.isCurrent
        }
    }

    /// Schedules an action, after all actions posted before.
    func post(_ action: @escaping @Sendable (BusConnections) -> Void) {
        switch self {
        case .own(let loop): loop.post(action)
        case .pooled(let loop): loop.post(action)
        }
    }

    /// Ends the loop once no connection needs it.
    func stop() {
        switch self {
        case .own(let loop): loop.stop()
        case .pooled(let loop): loop.stop()
        }
    }
}
