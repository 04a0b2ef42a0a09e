/// How one set of sources or sinks, by name, becomes another.
package struct GatewayChange: Equatable, Sendable {
    /// Those that go on untouched.
    package private(set) var kept: [String] = []
    /// Those whose settings have changed.
    package private(set) var changed: [String] = []
    /// Those that were not there before.
    package private(set) var added: [String] = []
    /// Those that are not there any more.
    package private(set) var removed: [String] = []

    /// Compares what runs with what is wanted.
    init(from old: [(String, ComponentSettings)], to new: [(String, ComponentSettings)]) {
        let before = Dictionary(old, uniquingKeysWith: { first, _ in first })
        for (name, settings) in new {
            switch before[name] {
            case nil: added.append(name)
            case settings: kept.append(name)
            default: changed.append(name)
            }
        }
        let names = Set(new.map(\.0))
        removed = old.map(\.0).filter { !names.contains($0) }
    }

    /// One whose settings have changed goes on with the new ones.
    mutating func keep(_ name: String) {
        guard let place = changed.firstIndex(of: name) else { return }
        kept.append(changed.remove(at: place))
    }

    /// Whether everything stays as it is.
    package var isEmpty: Bool { changed.isEmpty && added.isEmpty && removed.isEmpty }
}
