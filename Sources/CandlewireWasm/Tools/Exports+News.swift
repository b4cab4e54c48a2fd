import ChartScene

// What of live data is announced, and when: `AnnouncementPolicy`. Times are seconds of any clock that does not go back.

@_cdecl("cw_chart_news_on")
public func cw_chart_news_on(_ handle: Int32, _ isOn: Int32) {
    chart(handle)?.updateNews { $0.isOn = isOn != 0 }
}

/// Another market or timeframe.
@_cdecl("cw_chart_news_begin")
public func cw_chart_news_begin(_ handle: Int32) {
    chart(handle)?.beginNews()
}

/// Something happened, by `AnnouncementPolicy.News`. A move follows from the price.
@_cdecl("cw_chart_news_add")
public func cw_chart_news_add(_ handle: Int32, _ news: Int32) {
    guard let news: AnnouncementPolicy.News = choice(news) else { return }
    switch news {
    case .barClosed: chart(handle)?.updateNews { $0.barClosed() }
    case .alert: chart(handle)?.updateNews { $0.alertFired() }
    case .move: break
    }
}

/// The last price is now this one.
@_cdecl("cw_chart_news_price")
public func cw_chart_news_price(_ handle: Int32, _ last: Double) {
    chart(handle)?.setNewsPrice(last)
}

/// What to announce now, by `AnnouncementPolicy.News`; -1 for nothing.
@_cdecl("cw_chart_news_next")
public func cw_chart_news_next(_ handle: Int32, _ now: Double) -> Int32 {
    guard let chart = chart(handle) else { return -1 }
    var news: AnnouncementPolicy.News?
    chart.updateNews { news = $0.next(now: now) }
    return Int32(news.map { Int($0.rawValue) } ?? -1)
}
