// Apple's platforms only; type-checked on Linux by Scripts/check-apple.
#if canImport(SwiftUI)
    public import SwiftUI
    internal import FinanceChartsKit

    /// A live chart with its toolbar: timeframe, studies, newest bar.
    public struct ChartScreen: View {
        private let model: ChartModel

        public init(_ model: ChartModel) { self.model = model }

        public var body: some View {
            PriceChartView(controller: model.controller)
                .overlay(alignment: .top) {
                    if let notice = model.notice {
                        Text(verbatim: notice)
                            .font(.footnote)
                            .padding(8)
                            .background(.thinMaterial, in: .capsule)
                            .padding(.top, 8)
                    }
                }
                .toolbar {
                    ToolbarItem(placement: .automatic) { TimeframeMenu(model: model) }
                    ToolbarItem(placement: .automatic) { studies }
                    ToolbarItem(placement: .automatic) { newest }
                }
                .sensoryFeedback(.warning, trigger: model.alerts)
                .haptics(model.cue, count: model.cueCount)
        }

        private var studies: some View {
            Menu {
                ForEach(model.studies) { study in
                    Button {
                        model.toggle(study)
                    } label: {
                        Label {
                            Text(verbatim: study.name)
                        } icon: {
                            Image(systemName: study.isShown ? "checkmark" : "plus")
                        }
                    }
                    .accessibilityAddTraits(study.isShown ? .isSelected : [])
                }
            } label: {
                Image(systemName: "function")
            }
            .accessibilityLabel(Text(verbatim: localized("Studies")))
        }

        private var newest: some View {
            Button {
                model.controller.resetZoomAndPan()
            } label: {
                Image(systemName: "arrow.right.to.line")
            }
            .accessibilityLabel(Text(verbatim: localized("Newest bar")))
        }
    }

    struct ChartScreen_Previews: PreviewProvider {
        static var previews: some View { NavigationStack { ChartScreen(PreviewData.chart) } }
    }
#endif
