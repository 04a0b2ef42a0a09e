import GatewayCore
import GatewayHost
import HealthModel
import HealthStore

/// The anchor of a client: a place in the history of the store, and what the client might read when it got it.
///
/// After a client was granted more, its anchor is refused: what was stored before of the further types has
/// been left out.
struct ClientAnchor: LosslessStringConvertible {
    private static let separator: Character = "~"

    let place: StoreAnchor
    /// What the client might read; nil for everything.
    let readable: ReadableTypes?

    /// Makes the anchor of a client.
    ///
    /// - Parameter decisions: What the client may read; nil for everything.
    init(_ place: StoreAnchor, for decisions: AccessDecisions?) {
        self.place = place
        readable = decisions.flatMap { ReadableTypes($0) }
    }

    init?(_ text: String) {
        let parts = text.split(separator: Self.separator, omittingEmptySubsequences: false)
        guard parts.count <= 2, let place = StoreAnchor(String(parts[0])) else { return nil }
        self.place = place
        guard parts.count == 2 else {
            readable = nil
            return
        }
        guard let readable = ReadableTypes(String(parts[1])) else { return nil }
        self.readable = readable.isEverything ? nil : readable
    }

    var description: String {
        readable.map { "\(place)\(Self.separator)\($0)" } ?? "\(place)"
    }

    /// Whether a client may read types that it might not read when it got the anchor.
    func isExceeded(by decisions: AccessDecisions?) -> Bool {
        guard let readable else { return false }
        guard let now = decisions.flatMap({ ReadableTypes($0) }) else { return true }
        return now.isMore(than: readable)
    }
}

/// The types that a client may read, each as some digits of a hash of its name.
struct ReadableTypes: Hashable, LosslessStringConvertible {
    private static let digitCount = 6
    /// Begins the text of types that a client may not read.
    private static let withoutMark: Character = "-"

    /// Whether these types are the ones that it may not read.
    private let isWithout: Bool
    private let types: Set<String>

    /// The types of decisions; nil for all types of records.
    init?(_ decisions: AccessDecisions) {
        isWithout = decisions.others == .granted
        let names = decisions.types(isWithout ? .denied : .granted)
        types = Set(names.filter { $0 != AccessTypes.metrics }.map(Self.digits))
        if isEverything { return nil }
    }

    init?(_ text: String) {
        isWithout = text.first == Self.withoutMark
        var (types, rest) = (Set<String>(), text.dropFirst(isWithout ? 1 : 0))
        while !rest.isEmpty {
            let digits = rest.prefix(Self.digitCount)
            guard digits.count == Self.digitCount, UInt64(digits, radix: 16) != nil else {
                return nil
            }
            types.insert(String(digits))
            rest = rest.dropFirst(Self.digitCount)
        }
        guard isWithout || !types.isEmpty else { return nil }
        self.types = types
    }

    /// Whether no type is left out.
    var isEverything: Bool { isWithout && types.isEmpty }

    var description: String {
        (isWithout ? String(Self.withoutMark) : "") + types.sorted().joined()
    }

    /// Whether there is a type that is not one of the others.
    func isMore(than other: ReadableTypes) -> Bool {
        switch (other.isWithout, isWithout) {
        case (false, false): !types.isSubset(of: other.types)
        case (false, true): true
        case (true, true): !other.types.isSubset(of: types)
        case (true, false): !types.isDisjoint(with: other.types)
        }
    }

    private static func digits(_ name: String) -> String {
        let id = RecordID.make(
            start: Instant(nanosecondsSince1970: 0), device: name, stream: "type", key: 0)
        let digits = String(id.low, radix: 16)
        return String((String(repeating: "0", count: digitCount) + digits).suffix(digitCount))
    }
}
