import ChartScene
import MarketModel
import StreamCore

// The enums whose cases the page names. `Scripts/describe-boundary` writes each as a list of names in the order of the
// raw values. A name is the case's, in the style that the comment gives; `case=name` says another one.
enum PageEnums {
    /// kebab-case
    typealias Themes = PageTheme
    /// What the price looks like. kebab-case, hollowCandles=hollow
    typealias SeriesKinds = SeriesKind
    /// How bars are spaced: side by side, or each at its time.
    typealias TimeScales = TimeScaleKind
    /// How prices are spread over the height.
    typealias PriceScales = PriceScaleKind
    /// Where volume is shown.
    typealias VolumePlacements = VolumePlacement
    /// What became of a bar that was placed by its timestamp.
    typealias Placements = PagePlacement
    /// How much `draw` drew; each level includes those before it. camelCase
    typealias RedrawLevels = RedrawLevel
    /// What can be drawn. snake_case
    typealias DrawingKinds = DrawingKind
    /// How lines are drawn.
    typealias Dashes = DrawingStyle.Dash
    /// How prices stick to the bars.
    typealias Magnets = Magnet
    /// Which way a price crosses an alert.
    typealias AlertDirections = PriceAlert.Direction
    /// Signs at bars.
    typealias MarkerKinds = ChartMarker.Kind
    /// Lines of orders. snake_case
    typealias OrderKinds = OrderLine.Kind
    /// What can be wrong with the feed.
    typealias FeedStates = FeedMark.State
    /// What is announced. barClosed=bar
    typealias News = AnnouncementPolicy.News
    /// How complete a candle is. camelCase
    typealias Qualities = CandleQuality
    /// Channels of the stream.
    typealias Channels = StreamChannel
    /// Where the connection is.
    typealias SessionStates = PageState
    /// Why the session gave up. camelCase
    typealias Failures = PageFailure
    /// Why a stream begins with a snapshot.
    typealias SnapshotReasons = PageSnapshotReason
    /// What went wrong last. camelCase
    typealias Problems = PageProblem
    /// What a session requests, or reports. camelCase
    typealias RecordKinds = SessionRecord
}

/// Themes by number.
enum PageTheme: UInt8 { case dark, light, deuteranopia, highContrast }

/// What became of a bar that was placed by its timestamp.
enum PagePlacement: UInt8 {
    case applied, merged, rejected

    init(_ result: PlaceResult) {
        switch result {
        case .applied: self = .applied
        case .merged: self = .merged
        case .rejected: self = .rejected
        }
    }
}
