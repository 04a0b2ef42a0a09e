package import GatewayHost
import JSON
import Platform

/// What a search looks in.
package enum SearchScope: String, CaseIterable, Sendable {
    case devices, people, workouts

    /// Parses names separated by commas: `devices,workouts`; everything by default.
    package static func scopes(
        _ text: String?, option: String
    ) throws(HostError) -> Set<SearchScope> {
        guard let text else { return Set(allCases) }
        var scopes: Set<SearchScope> = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            guard let scope = SearchScope(rawValue: part.lowercased()) else {
                let known = allCases.map(\.rawValue)
                throw HostError(
                    .usage,
                    "\(option): expected devices, people or workouts, found "
                        + "`\(LogFormat.escaped(String(part)))`; "
                        + Suggestion.message(unknown: String(part), known: known))
            }
            scopes.insert(scope)
        }
        return scopes
    }

    /// The word for a number of them: `1 person`, `2 people`.
    func noun(_ count: Int) -> String {
        switch self {
        case .devices: count == 1 ? "device" : "devices"
        case .people: count == 1 ? "person" : "people"
        case .workouts: count == 1 ? "workout" : "workouts"
        }
    }
}
