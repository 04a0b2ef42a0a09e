import HealthModel

/// Metadata as the text of its column: a JSON object, or NULL when there is none.
///
/// The samples of a stream mostly have the same metadata, so the last text is read only once.
struct MetadataText {
    private var text = ""
    private var metadata: Metadata?

    /// The text of a column.
    static func text(of metadata: Metadata) -> String? {
        metadata.isEmpty ? nil : metadata.json
    }

    /// The metadata of a column; nil when the text cannot be understood.
    mutating func metadata(of column: String?) -> Metadata? {
        guard let column else { return Metadata() }
        if column == text, let metadata { return metadata }
        metadata = try? Metadata(acceptedJSON: column)
        text = column
        return metadata
    }
}
