import FoundationEssentials
import GatewayCore
import Platform

/// The seeds of random inputs: a fixed number of them, or as many as fit into a time.
///
/// ``FuzzRun`` describes the variables of the environment that set them.
struct FuzzSeeds: Sequence, IteratorProtocol {
    /// The first seed.
    let first: UInt64
    /// Whether the environment sets a duration, so that large inputs are acceptable.
    var isLong: Bool { end != nil }
    /// Whether the environment sets the first seed or a duration.
    let isChosen: Bool

    private let name: String?
    private let clock = SystemClock()
    private let last: UInt64?
    private let end: BootInstant?
    private var seed: UInt64

    /// Makes this number of seeds by default.
    ///
    /// - Parameter name: What they are for; it is printed with their number when the environment sets
    ///   them. Without a name nothing is printed.
    init(_ name: String? = nil, count: Int) {
        let variables = ProcessInfo.processInfo.environment
        let seconds = variables["PULSEGATE_FUZZ_SECONDS"].flatMap { Double($0) }
        let chosen = variables["PULSEGATE_FUZZ_SEED"].flatMap { UInt64($0) }
        // Short enough to be typed.
        let fresh = UInt64(UInt32.random(in: .min ... .max))
        first = chosen ?? (seconds == nil ? 1 : fresh)
        last = seconds == nil ? first &+ UInt64(Swift.max(count * FuzzFactor.current, 1)) : nil
        seed = first
        let start = clock.now()
        end = seconds.map { start.adding(nanoseconds: Int64($0 * 1e9)) }
        isChosen = seconds != nil || chosen != nil
        self.name = name
    }

    mutating func next() -> UInt64? {
        if seed == last || end.map({ clock.now() >= $0 }) ?? false {
            if isChosen, let name {
                print("fuzz \(name): \(seed &- first) inputs from seed \(first)")
            }
            return nil
        }
        defer { seed &+= 1 }
        return seed
    }
}
