import CandlewireServer
import Consultation
import Testing

@Suite("What a consultation may cost by default")
struct ConsultationOptionsTests {
    @Test("5,000 characters, 10 answers at once, 1,000 conversations a user")
    func defaults() {
        let options = ConsultationOptions()
        #expect(options.conversation.maxMessageLength == 5_000)
        #expect(options.answersPerUser == 10 && options.conversationsPerUser == 1_000)
        #expect(!options.allowsQueryToken, "a token in an address is requested")
        #expect(options.retentionDays == 90)
        #expect(OpenAICompatibleModel.Configuration(baseURL: "", model: "").timeout == 300)
        #expect(options.conversation.silence == 60)
    }

    @Test(
        "a slow model gets its time: for the whole answer, and a fifth of it in silence",
        arguments: [(1_200, 240), (30, 60)])
    func patience(seconds: Double, silence: Double) {
        var options = ConsultationOptions()
        options.allow(secondsPerAnswer: seconds)
        #expect(options.conversation.silence == 60, "the guide needs none")
        options.model = .openAICompatible(.init(baseURL: "http://127.0.0.1:1/v1", model: "m"))
        options.allow(secondsPerAnswer: seconds)
        #expect(options.conversation.silence == silence)
        guard case .openAICompatible(let configuration) = options.model else {
            Issue.record("another model")
            return
        }
        #expect(configuration.timeout == seconds)
    }
}
