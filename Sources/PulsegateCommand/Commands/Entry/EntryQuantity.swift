import ArgumentValues
import GatewayHost
import HealthModel

extension ParsedArguments {
    /// The entered value, which is the second operand; the third one is its unit.
    ///
    /// - Parameter unit: The unit without a third operand.
    func entryQuantity(
        of type: QuantityType, in unit: Unit
    ) throws(HostError) -> Quantity {
        let unit =
            operands.count > 2
            ? try UnitArgument.unit(operands[2], for: type, option: "UNIT") : unit
        guard let value = Double(operands[1]), let quantity = try? Quantity(value, unit) else {
            throw HostError(.usage, "VALUE: expected a number, such as 70.5")
        }
        return quantity
    }
}
