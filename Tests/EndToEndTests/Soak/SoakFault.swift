import Platform

/// What goes wrong in a round of a soak.
enum SoakFault: Hashable, Sendable, CustomStringConvertible {
    case repository(FaultyRepository.Fault)
    /// Somebody else writes to the store.
    case lockedStore
    /// Nobody reads standard output.
    case stuckReader
    case reload
    /// A device is unplugged, and comes back at the same place.
    case replug

    static let all: [SoakFault] =
        FaultyRepository.Fault.allCases.map { .repository($0) }
        + [.lockedStore, .stuckReader, .reload, .replug]

    var description: String {
        switch self {
        case .repository(let fault): fault.rawValue
        case .lockedStore: "locked store"
        case .stuckReader: "stuck reader"
        case .reload: "reload"
        case .replug: "replug"
        }
    }

    /// So many faults: each kind once before any comes again.
    static func plan(_ count: Int, _ random: inout SeededGenerator) -> [SoakFault] {
        var plan: [SoakFault] = []
        while plan.count < count { plan += all.shuffled(using: &random) }
        return Array(plan.prefix(count))
    }
}
