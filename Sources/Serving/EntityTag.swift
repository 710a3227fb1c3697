/// Entity tags (RFC 9110, section 8.8.3).
package enum EntityTag {
    /// Whether `If-None-Match` names this tag: compared weakly (RFC 9110, section 13.1.2).
    package static func matches(_ field: String?, _ tag: String) -> Bool {
        guard let field else { return false }
        return field == "*"
            || field.split(separator: ",").contains { part in
                let part = part.filter { $0 != " " && $0 != "\t" }
                return part == tag || part == "W/" + tag
            }
    }
}
