import HealthModel

/// Resolves the ambiguity with Foundation's `Unit`, which XCTest imports.
typealias Unit = HealthModel.Unit
