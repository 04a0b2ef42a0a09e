/// The extent of the unverified records of a sink in the journal, which limits what is kept of them.
///
/// When there are too many, the older half of them is released.
struct UnverifiedExtent {
    /// A position of the sink.
    struct Mark {
        /// The place of the first record after it.
        var place: JournalPlace
        /// Its account there.
        var account: Ledger.Sink
    }

    /// The limits of what is kept.
    struct Limit {
        var bytes: Int64
        var isTooOld: (JournalPlace) -> Bool
    }

    private var first: JournalPlace
    private var middle: Mark?

    /// Begins at a place.
    init(at place: JournalPlace) { first = place }

    /// Notes the present position.
    ///
    /// - Returns: The position up to which records must be released; nil if none must.
    mutating func note(_ present: Mark, within limit: Limit) -> Mark? {
        func isTooFar(_ place: JournalPlace) -> Bool {
            present.place.position - place.position > limit.bytes || limit.isTooOld(place)
        }
        var released: Mark?
        if isTooFar(first) {
            released = middle.flatMap { isTooFar($0.place) ? nil : $0 } ?? present
            first = released?.place ?? first
            middle = nil
        }
        if middle == nil, present.place.position - first.position > limit.bytes / 2 {
            middle = present
        }
        return released
    }
}
