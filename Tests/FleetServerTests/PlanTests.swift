import FleetServer
import Foundation
import TestSupport
import Testing
import YAMLText

/// The smallest picture that a browser shows: a pixel.
let pixel =
    Data(
        base64Encoded:
            "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==")
    ?? Data()

@Suite("Plans of floors") struct PlanTests {
    @Test("have a picture and a width, in the order of the floors")
    func plans() {
        let file = FloorPlansFile(
            """
            - {floor: 1, picture: first-floor.jpg, width_m: 30}
            - {floor: 0, name: "الطابق الأرضي", picture: 0.png, width_m: 42.5}
            """)
        #expect(file.issues == [])
        #expect(
            file.plans == [
                FloorPlan(floor: 0, name: "الطابق الأرضي", picture: "0.png", width: 42.5),
                FloorPlan(floor: 1, picture: "first-floor.jpg", width: 30),
            ])
    }

    @Test("are described as the example does")
    func example() throws {
        let file = FloorPlansFile(
            try String(contentsOfFile: "\(Programs.project)/examples/plans.yaml", encoding: .utf8))
        #expect(file.issues == [])
        #expect(file.plans.map(\.width) == [42.5, 40])
    }

    @Test(
        "name what is wrong with them",
        arguments: [
            ("", "no plans"), ("- {floor: 0, picture: 0.png}", "width_m is missing"),
            ("- {floor: 0, picture: ../0.png, width_m: 3}", "name of a file in the same folder"),
            ("- {floor: 0, picture: /etc/passwd, width_m: 3}", "name of a file in the same folder"),
            ("- {floor: 0, picture: .hidden, width_m: 3}", "name of a file in the same folder"),
            ("- {floor: 0, picture: 0.png, width_m: 0}", "width_m"),
            (
                "- {floor: 0, picture: 0.png, width_m: 3}\n- {floor: 0, picture: 1.png, width_m: 3}",
                "has a plan already"
            ),
            ("- {floor: 0, picture: 0.png, widht_m: 3}", "widht_m"),
        ])
    func mistakes(text: String, words: String) {
        let file = FloorPlansFile(text)
        #expect(file.issues.contains { $0.message.contains(words) }, "\(file.issues)")
    }

    private func folder(_ picture: Data?) throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try "- {floor: 0, picture: 0.png, width_m: 3}".write(
            toFile: "\(folder)/plans.yaml", atomically: true, encoding: .utf8)
        if let picture { try picture.write(to: URL(fileURLWithPath: "\(folder)/0.png")) }
        return folder
    }

    @Test("are read with their pictures")
    func pictures() throws {
        let folder = try folder(pixel)
        let plans = try PlanFolder("\(folder)")
        #expect(plans[0]?.mediaType == "image/png")
        #expect(plans[1] == nil)
    }

    @Test(
        "are refused without a picture that a browser shows",
        arguments: [
            (nil, "cannot be read"), (Data("<svg onload=\"alert(1)\"/>".utf8), "neither PNG nor JPEG"),
            (Data(), "neither PNG nor JPEG"),
            (Data(count: PlanFolder.mostBytes + 1), "larger than 16 MiB"),
        ] as [(Data?, String)])
    func refusals(picture: Data?, words: String) throws {
        let folder = try folder(picture)
        let error = try #require(throws: DocumentError.self) { try PlanFolder("\(folder)") }
        #expect("\(error)".contains(words), "\(error)")
    }
}
