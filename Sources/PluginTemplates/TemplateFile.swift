/// A file to write.
package struct TemplateFile: Hashable, Sendable {
    /// The path in the package or in the directory.
    package let path: String
    package let text: String
    /// Whether it is a program.
    package let isExecutable: Bool

    package init(_ path: String, _ text: String, isExecutable: Bool = false) {
        self.path = path
        self.text = text
        self.isExecutable = isExecutable
    }
}
