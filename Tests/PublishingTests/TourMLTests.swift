import Curation
import Foundation
import FoundationXML
import Publishing
import TestSupport
import Testing

@Suite struct TourMLTests {
    /// What a reader of tours looks for.
    private final class Found: NSObject, XMLParserDelegate {
        var ids: [String: Int] = [:]
        var stops: Set<String> = []
        var assets: Set<String> = []
        var references: Set<String> = []
        var connections: [(String, String)] = []

        func parser(
            _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
            attributes: [String: String]
        ) {
            let id = attributes["tourml:id"]
            switch name {
            case "tourml:Stop": if let id { stops.insert(id) }
            case "tourml:Asset": if let id { assets.insert(id) }
            case "tourml:AssetRef": if let id { references.insert(id) }
            case "tourml:Connection":
                connections.append((attributes["tourml:srcId"] ?? "", attributes["tourml:destId"] ?? ""))
            default: break
            }
        }
    }

    @Test("a tour is well-formed and refers only to stops and assets that it has", arguments: 0..<6 as Range<UInt64>)
    func consistent(seed: UInt64) throws {
        let hall = Hall(seed: seed, beacons: 3, images: 2, languages: ["en", "de"])
        let text = TourML.text(hall.documents, base: "https://museum.example/?a=1&b=2")
        let parser = XMLParser(data: Data(text.utf8))
        let found = Found()
        parser.delegate = found
        #expect(parser.parse(), "\(String(describing: parser.parserError))")
        #expect(found.stops.count == 3 + 6)
        #expect(found.references == found.assets)
        #expect(!found.assets.isEmpty)
        #expect(found.connections.count == 6)
        #expect(found.connections.allSatisfy { found.stops.contains($0.0) && found.stops.contains($0.1) })
    }
}
