import CandlewireServer
import Consultation
import Testing

@Suite("What a consultation may cost, unless somebody says otherwise")
struct ConsultationOptionsTests {
    @Test("FIT-41, FIT-43: 5,000 characters, 30 messages a minute, 10 answers at once, 1,000 conversations a user")
    func defaults() {
        let options = ConsultationOptions()
        #expect(options.conversation.longestMessage == 5_000)
        #expect(options.messagesPerMinute == 30 && options.messageBurst == 10)
        #expect(options.answersPerUser == 10 && options.conversationsPerUser == 1_000)
        #expect(!options.allowsQueryToken, "D-38: a token in an address is asked for")
        #expect(options.retentionDays == 90)
    }
}
