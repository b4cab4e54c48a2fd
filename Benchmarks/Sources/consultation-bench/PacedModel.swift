import Consultation
import Dispatch
import Foundation
import Synchronization

/// A model that says fifty words a second in each answer, spread evenly over time as those of a thousand models would be.
/// Each word is the moment at which it was due, and not the one at which it was said: a machine that is too busy to let the
/// model speak in time makes words old as well.
final class PacedModel: LanguageModel {
    /// Microseconds from one word to the next.
    static let interval: UInt64 = 20_000

    /// Words of an answer that takes so many seconds.
    static func words(in seconds: Double) -> Int {
        max(1, Int(max(0, min(seconds, 1e6)) * 1e6 / Double(interval)))
    }

    private struct Answer {
        var stream: AsyncStream<ModelEvent>.Continuation
        /// Of the next word, in microseconds of the monotonic clock.
        var due: UInt64
        var left: Int
    }

    private let answers = Mutex<[Answer]>([])
    private let words: Int
    let name = "paced"

    /// - Parameter words: of an answer.
    init(words: Int) {
        self.words = words
        // A thread of its own: what keeps the time must not wait for what is measured.
        Thread { [self] in
            while true {
                speak()
                usleep(500)
            }
        }.start()
    }

    func answer(_ request: AnswerRequest) -> AsyncStream<ModelEvent> {
        let (stream, continuation) = AsyncStream.makeStream(of: ModelEvent.self)
        let due = Monotonic.microseconds + UInt64.random(in: 0..<Self.interval)
        answers.withLock { $0.append(Answer(stream: continuation, due: due, left: words)) }
        return stream
    }

    private func speak() {
        let now = Monotonic.microseconds
        answers.withLock { answers in
            for index in answers.indices {
                // All that are due: who was late catches up.
                while answers[index].due <= now, answers[index].left > 0 {
                    answers[index].stream.yield(.text("\(answers[index].due) "))
                    answers[index].due += Self.interval
                    answers[index].left -= 1
                }
                if answers[index].left == 0 {
                    answers[index].stream.yield(.end(ModelUsage()))
                    answers[index].stream.finish()
                }
            }
            answers.removeAll { $0.left == 0 }
        }
    }
}

/// A clock that all processes of the machine share.
enum Monotonic {
    static var microseconds: UInt64 { DispatchTime.now().uptimeNanoseconds / 1_000 }

    static var seconds: Double { Double(microseconds) / 1e6 }
}
