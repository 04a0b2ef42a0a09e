import GatewayCore
package import GatewayHost
import HealthModel
import JSON
import Platform
import SQLiteStore

extension SearchReader {
    /// What to say when nothing has the words: how much was searched, and a word that is near.
    package func advice(
        on text: String, _ result: SearchResult
    ) async throws(HostError) -> String {
        var message =
            "nothing matches `\(LogFormat.escaped(text))` in \(result.searched); each word must be "
            + "in a name, manufacturer, model, identifier, activity or metadata text"
        let words = text.split(whereSeparator: \.isWhitespace).map(String.init)
        let known = try await vocabulary()
        let near = words.lazy.filter { !known.contains($0.lowercased()) }
            .compactMap { Suggestion.nearest(to: $0, in: known) }.first
        if let near { message += "; did you mean `\(LogFormat.escaped(near))`?" }
        return message
    }

    /// The words of devices, people and activities.
    private func vocabulary() async throws(HostError) -> [String] {
        do {
            let stored = try await store?.knownOrigins().devices ?? []
            let devices = DeviceCatalogue(known: plan.knownDevices, stored: stored)
            let texts =
                devices.entries.flatMap(\.searchFields).map(\.text)
                + plan.configuration.people.names + WorkoutActivityType.allCases.map(\.name)
            let words = texts.flatMap { $0.split(whereSeparator: \.isWhitespace) }
            return Set(words.map { $0.lowercased() }).sorted()
        } catch {
            throw HostError(error)
        }
    }
}

extension SearchResult {
    /// `3 devices, 1 person and 14 workouts`.
    fileprivate var searched: String {
        let parts = counts.map { "\($0.total) \($0.scope.noun($0.total))" }
        guard let last = parts.last, parts.count > 1 else { return parts.joined() }
        return parts.dropLast().joined(separator: ", ") + " and \(last)"
    }
}
