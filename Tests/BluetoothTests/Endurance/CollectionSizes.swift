/// The sizes of all collections in a value, by their names; those of equal names are added up.
struct CollectionSizes {
    private(set) var sizes: [String: Int] = [:]

    init(of value: Any) {
        add(value, "")
    }

    private mutating func add(_ value: Any, _ name: String) {
        let mirror = Mirror(reflecting: value)
        switch mirror.displayStyle {
        case .collection, .dictionary, .set:
            sizes[name, default: 0] += mirror.children.count
            for child in mirror.children { add(child.value, name) }
        case .class: break
        default:
            for child in mirror.children {
                let isUnnamed = child.label?.hasPrefix(".") ?? true || child.label == "some"
                add(child.value, isUnnamed ? name : "\(name).\(child.label ?? "")")
            }
        }
    }
}
