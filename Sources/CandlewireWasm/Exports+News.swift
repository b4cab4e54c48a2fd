import ChartScene

// What is said of live data, and when: `AnnouncementPolicy`. Times are seconds of any clock that does not go back.

@_expose(wasm, "cw_chart_news_on")
@_cdecl("cw_chart_news_on")
public func cw_chart_news_on(_ handle: Int32, _ isOn: Int32) {
    chart(handle)?.news.isOn = isOn != 0
}

/// Another market or timeframe.
@_expose(wasm, "cw_chart_news_begin")
@_cdecl("cw_chart_news_begin")
public func cw_chart_news_begin(_ handle: Int32) {
    chart(handle)?.news.begin()
}

/// Something happened, by `AnnouncementPolicy.News`. Of a move the price tells.
@_expose(wasm, "cw_chart_news_tell")
@_cdecl("cw_chart_news_tell")
public func cw_chart_news_tell(_ handle: Int32, _ news: Int32) {
    guard let news: AnnouncementPolicy.News = choice(news) else { return }
    switch news {
    case .barClosed: chart(handle)?.news.barClosed()
    case .alert: chart(handle)?.news.alertFired()
    case .move: break
    }
}

/// The last price is now this one.
@_expose(wasm, "cw_chart_news_price")
@_cdecl("cw_chart_news_price")
public func cw_chart_news_price(_ handle: Int32, _ last: Double) {
    chart(handle)?.news.price(last)
}

/// What to say now, by `AnnouncementPolicy.News`; -1 for nothing.
@_expose(wasm, "cw_chart_news_next")
@_cdecl("cw_chart_news_next")
public func cw_chart_news_next(_ handle: Int32, _ now: Double) -> Int32 {
    Int32(chart(handle)?.news.next(now: now).map { Int($0.rawValue) } ?? -1)
}

/// When there is something to say; infinity while nothing waits.
@_expose(wasm, "cw_chart_news_deadline")
@_cdecl("cw_chart_news_deadline")
public func cw_chart_news_deadline(_ handle: Int32) -> Double {
    chart(handle)?.news.deadline ?? .infinity
}
