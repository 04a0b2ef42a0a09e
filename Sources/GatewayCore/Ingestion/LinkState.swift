/// How far the way to a device is.
///
/// `status` shows it; it is no event and no sample. The word is the same in the code, in `status` and in
/// the log.
public enum LinkState: String, Sendable, CaseIterable {
    /// Nobody wants the device now: the source is stopping.
    case idle
    /// The device is wanted and looked for; the reason says what is in the way.
    case wanted
    /// A connection is being made.
    case connecting
    /// The link is there; what the device offers is being found out.
    case resolving
    /// The device is asked for what is wanted of it.
    case subscribing
    /// What the device measures arrives.
    case live
    /// The link is there, but nothing has come for too long.
    case stale
    /// The last attempt failed; the next one comes after a pause.
    case backOff
}
