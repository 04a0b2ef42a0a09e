import Platform

/// The pending timers of ``FakeBlueZ``.
struct FakeTimers {
    /// The purpose of a timer; there is one timer for each name.
    struct Name: Hashable {
        let purpose: String
        let path: String
    }

    /// The executor of the waiting tasks.
    let executor = TaskPool(name: "fake-timers", count: 1)
    private var tasks: [Name: (number: Int, task: Task<Void, Never>)] = [:]
    private var lastNumber = 0

    mutating func nextNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }

    mutating func add(_ name: Name, _ number: Int, _ task: Task<Void, Never>) {
        tasks[name] = (number, task)
    }

    /// Removes a timer that fired; false when it was cancelled meanwhile.
    mutating func removeFired(_ name: Name, _ number: Int) -> Bool {
        guard tasks[name]?.number == number else { return false }
        tasks[name] = nil
        return true
    }

    mutating func cancel(_ name: Name) {
        tasks.removeValue(forKey: name)?.task.cancel()
    }

    mutating func cancelAll() {
        for name in tasks.keys { cancel(name) }
    }

    /// Cancels all timers for this path and the paths below it.
    mutating func cancelAll(on path: String) {
        for name in tasks.keys where name.path == path || name.path.hasPrefix("\(path)/") {
            cancel(name)
        }
    }
}

extension FakeTimers.Name {
    static func expiry(_ path: String) -> Self { .init(purpose: "expiry", path: path) }
    static func connect(_ path: String) -> Self { .init(purpose: "connect", path: path) }
    static func disconnect(_ path: String) -> Self { .init(purpose: "disconnect", path: path) }
    static func resolve(_ path: String) -> Self { .init(purpose: "resolve", path: path) }
    static func security(_ path: String) -> Self { .init(purpose: "security", path: path) }
    static func read(_ path: String) -> Self { .init(purpose: "read", path: path) }
}
