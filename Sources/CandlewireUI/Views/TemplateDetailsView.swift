// Apple's platforms only; type-checked on Linux by Scripts/check-apple.
#if canImport(SwiftUI)
    internal import Consultation
    public import SwiftUI

    /// Everything that a template consists of.
    public struct TemplateDetailsView: View {
        private let details: TemplateDetails
        @Environment(\.dismiss) private var dismiss
        @ScaledMetric(relativeTo: .body) private var indentation = 16.0

        public init(_ details: TemplateDetails) { self.details = details }

        public var body: some View {
            NavigationStack {
                List {
                    Section {
                        Label {
                            Text(verbatim: details.kind)
                        } icon: {
                            Image(systemName: details.symbolName)
                        }
                        if !details.summary.isEmpty { Text(verbatim: details.summary) }
                    }
                    Section {
                        ForEach(details.lines) { line in
                            LabeledContent {
                                Text(verbatim: line.value)
                            } label: {
                                Text(verbatim: line.name)
                            }
                            .padding(.leading, CGFloat(line.depth) * indentation)
                            .accessibilityElement(children: .combine)
                            .accessibilityAddTraits(line.value.isEmpty ? .isHeader : [])
                        }
                    }
                }
                .navigationTitle(Text(verbatim: details.title))
                .toolbar {
                    ToolbarItem(placement: .confirmationAction) {
                        Button {
                            dismiss()
                        } label: {
                            Text(verbatim: localized("Done"))
                        }
                    }
                }
            }
        }
    }

    struct TemplateDetailsView_Previews: PreviewProvider {
        static var previews: some View { TemplateDetailsView(TemplateDetails(PreviewData.template)) }
    }
#endif
