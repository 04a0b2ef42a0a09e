import Programs

extension Program {
    /// The time that a program has after its input is closed, before SIGTERM, in seconds.
    static let graceSeconds = 5.0
    /// The time that it has after SIGTERM, before SIGKILL, in seconds.
    static let killSeconds = 1.0
}
