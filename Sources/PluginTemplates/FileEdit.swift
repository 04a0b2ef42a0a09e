/// A change of a file that exists: text to text.
package struct FileEdit: Sendable, Hashable {
    /// A step of a change.
    enum Step: Sendable, Hashable {
        /// Adds a line to a table of Package.swift, in the order of names.
        case tableLine(String, name: String, header: String)
        /// Adds `import NAME`, in the order of names.
        case importLine(String)
        /// Adds an element to a list that is an argument: `sinks: [A.factory]`.
        case listElement(String, label: String)
        /// Adds a line behind the last one with the same beginning, or else behind another one.
        case statement(String, behind: String, orBehind: String)
        /// Adds a row to a table of a page, below those with the same first cell.
        case row(String, firstCell: String, heading: String)
    }

    /// The path in the package.
    package let path: String
    let steps: [Step]

    /// Changes the text of the file.
    ///
    /// - Throws: ``FileEditError`` when the place of a step is not as expected.
    package func apply(to text: String) throws(FileEditError) -> String {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        for step in steps {
            do throws(ListEditProblem) {
                try step.apply(to: &lines)
            } catch {
                throw FileEditError(path: path, problem: error.problem, addition: step.addition)
            }
        }
        return lines.joined(separator: "\n")
    }
}

/// The reason why a file cannot be changed.
package struct FileEditError: Error, Equatable, CustomStringConvertible {
    let path: String
    let problem: String
    /// What would have been added.
    let addition: String

    package var description: String {
        "cannot add `\(addition)` to \(path): \(problem); "
            + "make the file as it is in the repository of Pulsegate, then try again"
    }
}

/// The reason why a place in a file is not as expected.
struct ListEditProblem: Error {
    let problem: String

    init(_ problem: String) {
        self.problem = problem
    }
}

extension FileEdit.Step {
    /// What it adds, without spaces around it.
    var addition: String {
        switch self {
        case .tableLine(let line, _, _), .statement(let line, _, _), .row(let line, _, _):
            line.split(separator: " ").joined(separator: " ")
        case .importLine(let module): "import \(module)"
        case .listElement(let element, _): element
        }
    }

    func apply(to lines: inout [String]) throws(ListEditProblem) {
        switch self {
        case .tableLine(let line, let name, let header):
            try SourceList.addTableLine(line, name: name, header: header, to: &lines)
        case .importLine(let module): try SourceList.addImport(module, to: &lines)
        case .listElement(let element, let label):
            try SourceList.addElement(element, label: label, to: &lines)
        case .statement(let line, let start, let other):
            try SourceList.addStatement(line, behind: start, orBehind: other, to: &lines)
        case .row(let row, let firstCell, let heading):
            try SourceList.addRow(row, firstCell: firstCell, heading: heading, to: &lines)
        }
    }
}
