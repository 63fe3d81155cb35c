import Access
import Primitives

extension AccountMails {
    /// What an old address is told of a change. Each of these mails has the code that keeps the account, too.
    func text(_ kind: Kind, _ id: UUID, _ notice: EmailChanges.Notice) -> (subject: String, text: String) {
        let keep = way(.keepAddress, notice.keep)
        let time = Self.moment(notice.takesEffectAt)
        let keeping = """
            If it was not you, keep the account: that signs everybody out and puts the password out of force, and you get \
            another mail to choose a new one. \(keep)

            It can be used once, until \(Self.moment(notice.keepsUntil)).
            """
        return switch kind {
        case .addressWaits:
            (
                "Your account will soon have another address",
                """
                your MirrorMate account will have another address than this one from \(time) on, because somebody who is signed \
                in to it wants that. The new address is confirmed; this one has not answered. If it was you, nothing has to be \
                done.

                \(keeping)
                """
            )
        case .addressChanged:
            (
                "Your account has another address",
                """
                your MirrorMate account has had another address than this one since \(time). If it was you, nothing has to be done.

                \(keeping)
                """
            )
        default:
            (
                "Confirm the change of your address",
                """
                the new address of your MirrorMate account is confirmed. Please confirm that it is to take the place of this one, \
                while you are signed in to the account. \(way(kind, id))

                Without that the change waits until \(time), and comes then.

                \(keeping)
                """
            )
        }
    }

    /// A moment as mails name it, to the minute.
    private static func moment(_ moment: Timestamp) -> String {
        "\("\(moment)".prefix(16).replacing("T", with: " ")) UTC"
    }
}
