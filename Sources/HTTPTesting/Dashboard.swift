import Foundation

/// A Grafana dashboard of this repository, with the queries of its panels.
package struct Dashboard: Decodable, Sendable {
    /// A variable at the top of the dashboard.
    package struct Variable: Decodable, Sendable {
        package let name: String
        package let type: String
        /// The query of its values; of a text box, its text.
        package let query: String

        private enum Key: String, CodingKey { case name, type, query }

        package init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: Key.self)
            name = try values.decode(String.self, forKey: .name)
            type = try values.decode(String.self, forKey: .type)
            if let text = try? values.decode(String.self, forKey: .query) {
                query = text
            } else {
                let object = try values.nestedContainer(keyedBy: Key.self, forKey: .query)
                query = try object.decode(String.self, forKey: .query)
            }
        }
    }

    /// A query of a panel.
    package struct Query: Sendable {
        /// The title of its panel.
        package let panel: String
        /// The name of a line, with fields of a series.
        package let legend: String
        /// The text with variables.
        package let text: String
    }

    private struct Panel: Decodable {
        struct Target: Decodable {
            // PromQL has `expr` and `legendFormat`, InfluxQL `query` and `alias`.
            let expr, query, legendFormat, alias: String?
        }
        let title: String
        let targets: [Target]?
    }

    private struct Variables: Decodable {
        let list: [Variable]
    }

    private let panels: [Panel]
    private let templating: Variables

    private enum CodingKeys: CodingKey { case panels, templating }

    /// Reads a dashboard.
    package init(path: String) throws {
        let data = try Data(contentsOf: URL(fileURLWithPath: path))
        self = try JSONDecoder().decode(Self.self, from: data)
    }

    /// The variables whose values are asked from the data source.
    package var variables: [Variable] { templating.list.filter { $0.type == "query" } }

    /// The queries of all panels.
    package var queries: [Query] {
        panels.flatMap { panel in
            (panel.targets ?? []).map { target in
                Query(
                    panel: panel.title, legend: target.legendFormat ?? target.alias ?? "",
                    text: target.expr ?? target.query ?? "")
            }
        }
    }

    /// A text with values in place of its variables, as Grafana replaces them.
    package static func replace(_ values: [String: String], in text: String) -> String {
        // `$__range` must not be replaced where `$__range_s` is meant, nor the other way round.
        values.sorted { $0.key.count > $1.key.count }.reduce(text) { text, value in
            text.replacingOccurrences(of: "$\(value.key)", with: value.value)
        }
    }
}
