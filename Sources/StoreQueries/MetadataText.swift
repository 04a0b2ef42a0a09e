package import HealthModel

/// Encodes and decodes the metadata column: a JSON object, or NULL when empty.
///
/// Consecutive samples mostly have the same metadata, so the last decoded text is cached.
package struct MetadataText {
    private var text = ""
    private var metadata: Metadata?

    /// Makes a decoder with an empty cache.
    package init() {}

    /// The text of a column.
    package static func text(of metadata: Metadata) -> String? {
        metadata.isEmpty ? nil : metadata.json
    }

    /// Decodes the metadata of a column; nil when the text is invalid.
    package mutating func metadata(of column: String?) -> Metadata? {
        guard let column else { return Metadata() }
        if column == text, let metadata { return metadata }
        metadata = try? Metadata(acceptedJSON: column)
        text = column
        return metadata
    }
}
