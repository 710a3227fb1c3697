/// Strings in YAML files that are written.
package enum YAMLString {
    /// In double quotes (YAML 1.2.2, section 7.3.1), as in JSON but for invisible characters above U+FFFF: YAML has no
    /// pairs of surrogates (section 5.7).
    package static func quoted(_ value: String) -> String {
        JSONText.quoted(value) { scalar in
            scalar.value > 0xFFFF
                ? JSONText.escape("U", scalar.value, digits: 8) : JSONText.escape("u", scalar.value, digits: 4)
        }
    }
}
