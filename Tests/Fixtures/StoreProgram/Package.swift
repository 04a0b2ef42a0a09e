// swift-tools-version: 6.0
import PackageDescription

let package = Package(
    name: "lastmonth",
    dependencies: [
        .package(path: "../pulsegate")
    ],
    targets: [
        .executableTarget(
            name: "lastmonth",
            dependencies: [.product(name: "PulsegateStore", package: "pulsegate")])
    ]
)
