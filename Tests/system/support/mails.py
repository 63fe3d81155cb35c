"""The mails that a stack put into its state folder."""
import glob
import os
import re

from support.waiting import wait


def mails(stack, user):
    """The user's mails in the state folder, oldest first."""
    paths = sorted(glob.glob(os.path.join(stack.state, "mail", user.id, "*.eml")))
    texts = []
    for path in paths:
        with open(path, encoding="ascii") as file:
            texts.append(file.read())
    return texts


def code(mail):
    return re.search(r"^([A-Za-z0-9_-]{43})$", mail, re.MULTILINE).group(1)


def mail_with(stack, user, subject, count=1):
    """The last of at least so many mails with a subject."""
    def found():
        fitting = [mail for mail in mails(stack, user) if f"\nSubject: {subject}\n" in mail]
        return fitting if len(fitting) >= count else None
    return wait(f"mail {count}: {subject}", found, within=60)[-1]
