/// The difference between two sets of sources, sinks or services, by name.
package struct GatewayChange: Equatable, Sendable {
    /// The unchanged ones.
    package private(set) var kept: [String] = []
    /// The ones with different settings.
    package private(set) var changed: [String] = []
    /// The new ones.
    package private(set) var added: [String] = []
    /// The removed ones.
    package private(set) var removed: [String] = []

    /// Compares old and new settings.
    package init(from old: [(String, ComponentSettings)], to new: [(String, ComponentSettings)]) {
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

    /// Counts a changed one as kept: it has adopted its new settings.
    mutating func keep(_ name: String) {
        guard let place = changed.firstIndex(of: name) else { return }
        kept.append(changed.remove(at: place))
    }

    /// Whether nothing has changed.
    package var isEmpty: Bool { changed.isEmpty && added.isEmpty && removed.isEmpty }
}
