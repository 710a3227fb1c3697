package import SiteSettings

package typealias ConfigurationError = SiteSettings.ConfigurationError
