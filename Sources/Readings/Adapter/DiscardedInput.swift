/// The input of a device that was discarded: its counts, and what the log says of it.
///
/// Unusable input before the first reading is normal, up to a limit: a device may greet, and a port
/// may be opened in the middle of a line.
package struct DiscardedInput: Sendable {
    /// The pieces of unusable input that may be a greeting.
    package static let greetingLimit = 20

    /// The number of pieces, by reason.
    package private(set) var counts: [DropReason: Int] = [:]
    private var logged: Set<DropReason> = []
    /// The unusable input since the link was opened; nil once usable input has followed.
    private var greetingCount: Int?

    /// Whether the link has delivered more than a greeting, and nothing usable.
    package var isAllInput: Bool { (greetingCount ?? 0) > Self.greetingLimit }

    /// Makes an empty count for a link that is not open.
    package init() {}

    /// Notes that the link was opened.
    package mutating func open() { greetingCount = 0 }

    /// Notes usable input, or the end of the link.
    package mutating func endGreeting() { greetingCount = nil }

    /// Counts discarded input, and returns the reasons to log: each one once.
    package mutating func add(_ new: [DropReason: Int]) -> [DropReason] {
        var loud: [DropReason] = []
        for (reason, count) in new {
            counts[reason, default: 0] += count
            if reason.isUnusableInput, isGreeting(count) { continue }
            if logged.insert(reason).inserted { loud.append(reason) }
        }
        return loud
    }

    /// Ends a greeting that no reading has followed, and returns the reasons to log.
    package mutating func endSilence() -> [DropReason] {
        guard let count = greetingCount, count <= Self.greetingLimit else { return [] }
        greetingCount = nil
        return counts.keys.filter { logged.insert($0).inserted }
    }

    private mutating func isGreeting(_ count: Int) -> Bool {
        guard let before = greetingCount else { return false }
        greetingCount = before + count
        return before + count <= Self.greetingLimit
    }
}

extension DropReason {
    /// Whether the bytes are not what the protocol expects.
    fileprivate var isUnusableInput: Bool {
        switch self {
        case .damaged, .tooLong, .unknown, .invalid: true
        case .empty, .copy, .flood, .overrun, .otherUser, .encrypted, .unavailable, .silent:
            false
        }
    }

    /// The log message for the first piece of input discarded for this reason.
    package var message: String {
        switch self {
        case .damaged, .tooLong, .unknown, .invalid:
            "discarding unusable input from the device; further input is only counted"
        case .copy:
            "discarding duplicate notifications; they come when another program has subscribed to the device too"
        case .flood:
            "ignoring excess requests of the device's adapter; further ones are only counted"
        case .otherUser:
            "discarding measurements of other users of the device; further ones are only counted"
        case .encrypted:
            "discarding encrypted data of the device: its key is missing or another one; further data is only counted"
        case .unavailable:
            "the device lacks a measurement or refuses to make it; further refusals are only counted"
        case .silent:
            "a measurement of the device has fallen silent and is requested again; further requests are only counted"
        case .overrun:
            "the program does not read the device's input in time; further lost input is only counted"
        case .empty:
            "discarding packets without a measurement; further packets are only counted"
        }
    }
}
