/// Types that a browser shows without running code (SVG runs none under the policy that is sent with it).
enum MediaTypes {
    static func harmless(_ type: String) -> String? {
        let type = type.lowercased()
        let isToken = type.utf8.allSatisfy { byte in
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                || "/+-.".utf8.contains(byte)
        }
        let groups = ["image/", "audio/", "video/", "font/"]
        return isToken && (groups.contains(where: type.hasPrefix) || type == "text/vtt") ? type : nil
    }
}
