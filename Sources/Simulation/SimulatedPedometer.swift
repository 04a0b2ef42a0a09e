/// A simulated foot pod that prints its step count once a second: `Steps: 7, Distance: 5.25 meters`.
///
/// It simulates 100 to 120 steps per minute with pauses. The same seed gives the same lines.
public struct SimulatedPedometer: Sendable {
    /// The line that it prints when it starts, which has no value.
    public static let banner = "Pulsegate simulated pedometer"

    private var walk: SimulatedWalk
    private var printed = 0

    /// Makes a pedometer with the steps of this seed.
    public init(seed: UInt64) {
        walk = SimulatedWalk(seed: seed)
    }

    /// Returns the line of the next second, without its terminator.
    public mutating func nextLine() -> String {
        printed += 1
        walk.walkOneSecond(until: Double(printed))
        let whole = Int(walk.steps)
        return "Steps: \(whole), Distance: \(Double(whole) * SimulatedWalk.metresPerStep) meters"
    }
}
