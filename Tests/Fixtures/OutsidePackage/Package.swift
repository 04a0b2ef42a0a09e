// swift-tools-version: 6.0
import PackageDescription

let kit = Target.Dependency.product(name: "PulsegateKit", package: "pulsegate")

let package = Package(
    name: "mygate",
    dependencies: [
        .package(path: "../pulsegate")
    ],
    targets: [
        .target(name: "SkinPatch", dependencies: [kit]),
        .executableTarget(
            name: "mygate",
            dependencies: [
                "SkinPatch", kit, .product(name: "PulsegateEarlyStart", package: "pulsegate"),
            ]),
        .testTarget(
            name: "SkinPatchTests",
            dependencies: [
                "SkinPatch", kit, .product(name: "PulsegateTesting", package: "pulsegate"),
            ]),
    ]
)
