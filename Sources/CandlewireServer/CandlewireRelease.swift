/// This package's release, in the one place where it is written.
package enum CandlewireRelease {
    /// By semantic versioning; `candlewire --version` prints it.
    package static let version = "0.1.0"
}
