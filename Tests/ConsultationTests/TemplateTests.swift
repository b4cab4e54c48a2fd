import Consultation
import StreamCore
import Testing

@Suite struct TemplateTests {
    @Test("template_created carries template_id, type, name and description, and its further fields")
    func metadata() throws {
        let text =
            #"{"type":"template_created","message_id":"m","timestamp":"2025-01-27T10:00:00Z","metadata":{"template_id":"t1","type":"meal","name":"High protein","description":"Three meals","meals":[{"name":"Oats"}]}}"#
        let template = try Template(metadata: try text.envelope().metadata)
        #expect(template.id == "t1" && template.kind == .meal && template.name == "High protein")
        #expect(template.description == "Three meals")
        #expect(template.fields == ["meals": [["name": "Oats"]]])
        #expect(template.announcement == "Created meal template: High protein")
        #expect(try Template(metadata: template.metadata) == template)
    }

    @Test("the id is template_id, and a template without one is refused by that name")
    func templateID() {
        let error = #expect(throws: EnvelopeError.self) {
            try Template(metadata: ["id": "t1", "type": "meal", "name": "n"])
        }
        #expect(error?.field == "metadata.template_id")
        #expect(throws: EnvelopeError.self) { try Template(metadata: nil) }
    }

    @Test(
        "each type has its icon",
        arguments: [
            ("meal", "fork.knife"), ("workout", "dumbbell.fill"), ("wellness", "heart.fill"), ("alert", "doc.fill"),
            ("something_new", "doc.fill"),
        ])
    func icons(name: String, icon: String) {
        #expect(TemplateKind(name: name).iconName == icon && TemplateKind(name: name).name == name)
    }

    @Test("a type of a later version stays what it is")
    func unknownKind() throws {
        let template = try Template(metadata: ["template_id": "1", "type": "sleep_plan", "name": "n"])
        #expect(template.kind == .unknown("sleep_plan") && template.metadata["type"] == "sleep_plan")
    }
}
