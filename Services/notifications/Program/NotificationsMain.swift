import ServiceKit
import notifications

@main enum NotificationsMain {
    static func main() async { await ServiceProgram.run(NotificationsService.self) }
}
