/// The version of all programs in this package: semver.org.
package enum SoftwareVersion {
    package static let text = "0.1.0"
}
