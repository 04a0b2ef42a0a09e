extension HeartRateQuirk {
    /// The built-in quirks, each with its source.
    ///
    /// An entry requires a public report with measurements and the exact strings of the device. Other
    /// quirks belong in the configuration.
    static let table: [HeartRateQuirk] = [
        // A WHOOP 5 sends milliseconds: 1000.2 to 1000.8 to the second over 71,464 frames of firmware
        // 50.41.1.0 (GitHub, ryanbr/noop, pull request 2195). It calls itself `WHOOP Inc.` and `5.0`
        // with a zero byte (a published listing of its services, hardware WG50_r52).
        HeartRateQuirk(manufacturer: "WHOOP Inc.", model: "5.0", rrUnit: .milliseconds)
    ]
}
