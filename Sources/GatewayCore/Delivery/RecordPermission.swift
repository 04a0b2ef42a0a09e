package import HealthModel

/// Decides which records a sink gets at this moment; nil for all.
///
/// An error means that it is not known yet: the records wait.
package typealias RecordPermission = @Sendable () throws -> (@Sendable (Record) -> Bool)?
