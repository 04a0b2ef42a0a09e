import Platform
import Terminal

/// The progress of several phases one after the other, each with a line of its own.
struct PhaseProgress {
    private let environment: Environment
    private let clock: any BootClock
    private var title = ""
    private var line: ProgressLine?

    init(_ environment: Environment, _ clock: any BootClock) {
        self.environment = environment
        self.clock = clock
    }

    /// Shows the share of bytes of a phase.
    mutating func show(_ phase: String, _ done: Int64, of all: Int64) {
        if phase != title {
            end()
            title = phase
            line = ProgressLine(environment, clock: clock, title: "\(phase): ")
        }
        line?.show(bytes: Int(done), of: Int(all))
    }

    /// Removes the line.
    func end() { line?.end() }
}
