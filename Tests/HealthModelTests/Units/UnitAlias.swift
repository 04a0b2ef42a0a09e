import HealthModel

/// XCTest brings Foundation's `Unit` into every file; a test here means ours.
typealias Unit = HealthModel.Unit
