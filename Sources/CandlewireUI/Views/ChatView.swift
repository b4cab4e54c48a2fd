// Apple's platforms only; type-checked on Linux by Scripts/check-apple.
#if canImport(SwiftUI)
    internal import Consultation
    public import SwiftUI

    /// A conversation with an assistant.
    public struct ChatView: View {
        @Bindable private var model: ChatModel
        @State private var template: Template?

        public init(_ model: ChatModel) { self.model = model }

        public var body: some View {
            ScrollViewReader { scroll in
                ScrollView {
                    LazyVStack(alignment: .leading, spacing: 12) {
                        ForEach(model.rows) { row in
                            ChatRowView(row: row) {
                                model.retry(row)
                            } open: {
                                template = $0
                            }
                            .id(row.id)
                        }
                    }
                    .padding()
                }
                .onChange(of: model.rows.last) {
                    if let last = model.rows.last { scroll.scrollTo(last.id, anchor: .bottom) }
                }
            }
            .safeAreaInset(edge: .bottom) { composer }
            .toolbar {
                ToolbarItem(placement: .automatic) {
                    if model.hasVoiceOutput {
                        Toggle(isOn: $model.speaksAnswers) {
                            Label {
                                Text(verbatim: localized("Speak answers"))
                            } icon: {
                                Image(systemName: "speaker.wave.2")
                            }
                        }
                    }
                }
            }
            .sheet(item: $template) { TemplateDetailsView(TemplateDetails($0)) }
            .onAppear { model.appear() }
            .onDisappear { model.disappear() }
        }

        private var composer: some View {
            VStack(alignment: .leading) {
                if let notice = model.notice {
                    HStack {
                        ProblemText(sentence: notice)
                        if model.canReconnect {
                            Button {
                                model.reconnect()
                            } label: {
                                Text(verbatim: localized("Try again"))
                            }
                        }
                    }
                }
                HStack(alignment: .bottom) {
                    TextField(text: $model.draft, prompt: Text(verbatim: localized("Message")), axis: .vertical) {
                        Text(verbatim: localized("Message"))
                    }
                    .onSubmit { model.send() }
                    if model.hasVoiceInput {
                        Button {
                            model.toggleVoice()
                        } label: {
                            Image(systemName: model.isListening ? "mic.fill" : "mic")
                        }
                        .accessibilityLabel(Text(verbatim: localized("Voice input")))
                        .accessibilityAddTraits(model.isListening ? .isSelected : [])
                    }
                    if model.answering == nil {
                        Button {
                            model.send()
                        } label: {
                            Image(systemName: "arrow.up.circle.fill")
                        }
                        .disabled(!model.canSend)
                        .accessibilityLabel(Text(verbatim: localized("Send")))
                    } else {
                        Button {
                            model.stopAnswer()
                        } label: {
                            Image(systemName: "stop.circle.fill")
                        }
                        .accessibilityLabel(Text(verbatim: localized("Stop the answer")))
                    }
                }
            }
            .padding()
            .background(.thinMaterial, in: RoundedRectangle(cornerRadius: 0))
        }
    }

    /// A message, with what can be done about it.
    struct ChatRowView: View {
        let row: ChatRow
        let retry: @MainActor () -> Void
        let open: @MainActor (Template) -> Void

        var body: some View {
            VStack(alignment: row.role == .user ? .trailing : .leading, spacing: 4) {
                Text(verbatim: row.text)
                    #if !os(tvOS)
                        .textSelection(.enabled)
                    #endif
                    .padding(10)
                    .background(bubble, in: RoundedRectangle(cornerRadius: 12))
                if row.isStreaming { ProgressView().accessibilityLabel(Text(verbatim: localized("Answering"))) }
                if let template = row.template {
                    Button {
                        open(template)
                    } label: {
                        Label {
                            Text(verbatim: template.name)
                        } icon: {
                            Image(systemName: template.kind.iconName)
                        }
                    }
                    .buttonStyle(.bordered)
                }
                if let note = row.note { Text(verbatim: note).font(.caption).foregroundStyle(.secondary) }
                if row.action != nil {
                    Button(action: retry) { Text(verbatim: localized("Try again")) }.font(.caption)
                }
            }
            .frame(maxWidth: .infinity, alignment: row.role == .user ? .trailing : .leading)
            .accessibilityElement(children: .contain)
            .accessibilityLabel(Text(verbatim: "\(row.speaker), \(row.time)"))
        }

        private var bubble: Color { row.role == .user ? Color.accentColor.opacity(0.2) : Color.secondary.opacity(0.15) }
    }

    struct ChatView_Previews: PreviewProvider {
        static var previews: some View { NavigationStack { ChatView(PreviewData.chat) } }
    }
#endif
