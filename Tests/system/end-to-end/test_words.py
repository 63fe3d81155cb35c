"""What the command line makes of words: of wrong ones a clear sentence and the right exit code, of every example of a help what it says."""
import os
import re
import shlex
import uuid

import pytest

from support import runbooks
from support.api import small_video
from support.places import ROOT
from support.stack import StackError, data_of
from support.users import Speaker
from support.waiting import wait

LIST = "sessions/session_list"
# What stands in the words for what only a running stack knows.
SESSION, USER, EMAIL, VIDEO, TEXT, FOLDER = "{session}", "{user}", "{email}", "{video}", "{text}", "{folder}"
NOBODY = str(uuid.uuid4())

# Wrong words: the exit code, and what is said.
WRONG = [
    ("dwon", 2, "There is no command dwon. Did you mean down"),
    ("--json status", 2, "--json stands before the command"),
    ("quota", 2, "needs another word"),
    ("status --nonsense", 2, "There is no option --nonsense"),
    ("up --instances 99", 2, "--instances must be a number from 1 to 8"),
    ("open cellar", 2, "There is no place cellar"),
    ("logs nobody", 2, "There is no part nobody"),
    ("logs --level loud", 2, "There is no level loud"),
    ("log-level loud", 2, "There is no level loud"),
    ("down --erase", 5, "Nothing was changed"),
    # Ids, people and places.
    ("timeline nonsense", 2, "must be an id or its first digits"),
    (f"timeline {NOBODY}", 3, "Nothing in any log is about"),
    ("timeline 00000000", 2, "No session, user or event has an id that begins with 00000000"),
    ("timeline nobody@example.org", 1, "No such account"),
    ("timeline sessions/999999999", 2, "has no event at position 999999999"),
    (f"sessions show {NOBODY}", 1, "is no session"),
    (f"sessions cancel {NOBODY} --email {EMAIL}", 2, "--email needs a password"),
    ("sessions list --status nope", 2, "There is no state nope"),
    ("users find nobody@example.org", 1, "No such account"),
    (f"users find {NOBODY}", 1, "No such account"),
    ("quota show nobody", 2, "EMAIL must be an account's mail address or id"),
    (f"quota show {EMAIL} --kind nope", 1, "kind"),
    (f"quota grant {EMAIL} --units 0", 2, "--units must be a number from 1 to 1000"),
    (f"quota grant {EMAIL} --kind nope", 1, "kind"),
    (f"plan {EMAIL} nope", 1, "plan"),
    # Logs, states and moments.
    ("events nobody", 2, "There is no service nobody"),
    ("events sessions --type SessionCraeted", 2, "Did you mean SessionCreated"),
    ("events sessions --stream nope", 2, "has no stream nope"),
    ("events sessions --since yesterday", 2, "--since must be a time"),
    ("events sessions --from 1 --since 2h", 2, "cannot be given together"),
    ("events sessions --limit 0", 2, "--limit must be a number from 1"),
    ("state sessions/nope", 2, "No aggregate of sessions"),
    (f"state {LIST}", 2, "KEY is missing"),
    (f"state sessions/session-{SESSION} --version 99", 2, "has [0-9]+ versions"),
    (f"state {LIST} {SESSION} --position 999999999", 2, "ends at position"),
    (f"diff sessions/session-{SESSION} --from 5 --to 2", 2, "5 comes after 2"),
    (f"explain {LIST} {SESSION} --field statsu", 2, "Did you mean status"),
    (f"state sessions/session-{NOBODY}", 2, "has no stream session-"),
    (f"diff notifications/notice-{NOBODY}", 2, "has no stream notice-"),
    ("purchases list --outcome nope", 2, "There is no outcome nope"),
    ("explain webhooks", 2, "Name the owner"),
    ("explain goal 12", 2, "Name the goal's id, or its first digits"),
    ("check reporting/goals --repair 00000000", 2, "has no row 00000000"),
    ("explain quota", 2, "Name the owner"),
    ("explain quota nobody", 2, "neither an id nor a mail address"),
    (f"explain progress {USER} charisma", 2, "Progress is not told of charisma"),
    ("replay", 2, "replay needs either an id or --file"),
    (f"replay {SESSION} --until nope", 2, "No event of this case is nope"),
    ("replay --file {folder}/gone.jsonl", 3, "cannot be read"),
    (f"capture {SESSION} -o {FOLDER}/gone/case.jsonl", 3, "cannot be written: No such file or directory"),
    (f"capture {SESSION} -o {FOLDER}", 2, "is a folder"),
    (f"capture {SESSION} --json", 2, "--json needs --output"),
    # Read models, relays and what is parked.
    ("check sessions/nothing", 2, "There is no read model sessions/nothing"),
    (f"check {LIST} --repair nope", 2, "has no row nope"),
    ("check --repair nope", 2, "--repair needs one read model"),
    (f"rebuild {LIST} --accept-differences", 2, "needs --compare and --switch"),
    (f"rebuild {LIST} --rollback --drop-old", 2, "cannot be given together"),
    ("relay rewind identity 999999999", 1, "up to position [0-9]+, so nothing lies behind"),
    ("parked show quota", 2, "of the form SERVICE/NUMBER"),
    ("parked drop quota/999999 --yes", 1, "quota/999999 is not parked"),
    ("ledger --late soon", 2, "--late must be a number"),
    ("keys change nope", 2, "There is no secret nope"),
    ("keys rotate --revoke", 5, "Nothing was changed"),
    ("keys revoke nope --yes", 2, "There is no API key nope"),
    # Videos, servers, and where the report goes: nothing is sent, so nothing is spent.
    ("submit", 2, "VIDEO is missing"),
    (f"submit --output {FOLDER}/gone/report.json --url http://127.0.0.1:1", 2, "VIDEO is missing"),
    (f"submit {FOLDER}/gone.mp4", 2, "cannot be read: No such file or directory"),
    (f"submit {FOLDER}", 2, "is no plain file"),
    (f"submit {TEXT}", 2, "is no video: it begins like neither MP4, MOV nor WebM"),
    (f"submit {VIDEO} --output {FOLDER}/gone/report.json", 3, "cannot be written: No such file or directory"),
    (f"submit {VIDEO} --output {FOLDER}", 2, "is a folder"),
    (f"submit {VIDEO} --scenario pich", 2, "Did you mean pitch"),
    (f"submit {VIDEO} --url nonsense", 2, "begins with http"),
    (f"submit {VIDEO} --email {EMAIL}", 2, "--email needs a password"),
    (f"backup {FOLDER}", 2, "is there already"),
    (f"restore {FOLDER} --yes", 3, "is no backup"),
]


@pytest.fixture
def known(stack, visitor, tmp_path_factory):
    """What the words need of a running stack."""

    def make():
        folder = tmp_path_factory.mktemp("words")
        (folder / "talk.mp4").write_bytes(small_video())
        (folder / "talk.txt").write_text("not a video at all, whatever it says\n")
        return {"session": visitor.session, "user": visitor.user.id, "email": visitor.user.email,
                "video": str(folder / "talk.mp4"), "text": str(folder / "talk.txt"), "folder": str(folder)}
    return stack.kept("words", make)


@pytest.mark.parametrize("line, code, says", WRONG, ids=[line for line, _, _ in WRONG])
def test_wrong_words_are_told_in_a_sentence_with_the_right_exit_code(stack, known, line, code, says):
    words = line.format(**known).split()
    found, out, notes = stack.command(*words)
    lines = notes.split("\n")
    first, *rest = lines[next((number for number, line in enumerate(lines) if line.startswith("✗ ")), 0):]
    assert (found, bool(re.search(says, first))) == (code, True), f"wanted {code}, {says!r}:\n{found}\n{out}{notes}"
    assert first.startswith("✗ ") and first.endswith((".", "?")), f"a sentence: {first}"
    assert rest and rest[0].strip(), f"and what to do: {notes}"
    assert not re.search(r"Error\b|nil|Optional\(|fatal", notes), notes


def test_a_failure_is_told_to_programs_in_the_same_envelope(stack, known):
    code, out, notes = stack.command("state", f"sessions/session-{known['session']}", "--version", "99", "--json")
    with pytest.raises(KeyError):
        data_of(out)
    assert '"kind": "state"' in out and '"problem"' in out and '"exit": 2' in out and code == 2, out + notes
    code, out, _ = stack.command("events", "nobody", "--json")
    assert '"kind": "events"' in out and '"problem"' in out and code == 2, out


def test_an_id_is_known_in_every_form_in_which_it_is_shown(stack, known):
    session = known["session"]
    for form in (session, session[:13], f"session-{session}", f"sessions/session-{session}", session.upper()):
        code, out, notes = stack.command("timeline", form)
        assert code == 0 and out.startswith(session), (form, out, notes)
    for place in ((f"sessions/session-{session[:13]}",), (LIST, session[:13])):
        code, out, notes = stack.command("state", *place)
        assert code == 0 and session in out, (place, out, notes)
        assert stack.command("explain", *place)[0] == 0
    event = data_of(stack.command("timeline", session, "--json")[1])["events"][0]
    assert stack.command("timeline", f"{event['service']}/{event['position']}")[0] == 0
    listed = data_of(stack.command("sessions", "list", known["email"], "--json")[1])["sessions"]
    assert session in {one["id"] for one in listed}
    assert stack.command("explain", "quota", known["email"])[1].startswith(known["user"])
    assert data_of(stack.command("users", "find", known["user"], "--json")[1])["id"] == known["user"]


def test_what_is_said_on_the_way_can_be_left_out(stack):
    code, out, notes = stack.command("log-level", "info", "--quiet")
    assert (code, out, notes) == (0, "", "")
    for name in ("reseal", "rotate"):
        code, out, notes = stack.command("keys", name, "--quiet", "--bin", stack.programs.folder)
        assert (code, notes) == (0, "") and out.strip(), f"but not the answer of keys {name}: {notes}"
    assert stack.command("events", "nobody", "--quiet")[2].startswith("✗ "), "but not why it failed"


# MARK: examples of the helps

# Examples that start, stop or change more than this test may, wait for ever, or speak of other machines: each has tests of its own.
ELSEWHERE = re.compile(
    r"mirrormate (up|down|demo|restart|restore|issuer|completion|help|bucket|contracts)\b|--follow|--watch|--revoke"
    r"|users (remove-factor|revoke-device|sign-out)|keys revoke|MIRRORMATE_PASSWORD|sessions cancel|submit --continue|plan set")
# What is answered with another exit code than 0 here: nothing is parked, the session is not a quarter of an hour old and has five
# versions, nobody practises or has a goal, no provider outside is named and no shop, and the plan of an account that was just made has one
# analysis a day.
OTHERWISE = {
    r"^parked (show|release|drop)": 1, r"--at 15m": 1, r"^diff .* --from 2 --to 5": 1, r"^explain (streak|goal|webhooks)": 1,
    r"^providers try": 1, r"^purchases": 1,
    r"^submit .* --(output|scenario)": 5,
}


def examples(stack):
    """The commands of the main help, each with the example lines of its own."""
    main = stack.command("--help")[1]
    names = re.findall(r"^  ((?!mirrormate)[a-z][a-z-]*(?: [a-z-]+)?)  +\S", main, re.MULTILINE)
    assert len(names) > 35, names
    for name in names:
        code, text, _ = stack.command(*name.split(), "--help")
        assert code == 0 and text.startswith(f"mirrormate {name}: "), text
        before = text.split("\nUsage: ")[0]
        yield name, [re.split(r"  +", line.strip())[0] for line in before.split("\n")[2:] if "mirrormate " in line]


def test_every_help_has_an_example_and_it_can_be_run(stack, known, tmp_path):
    own = Speaker(stack, small_video()).session
    instead = {
        "ID": own, "SESSION": own, "KEY": own, "OWNER": known["user"], "USER": known["user"], "allowance-ID": f"allowance-{known['user']}",
        "ada@example.org": known["email"], "talk.mp4": known["video"], "sessions/session-ID": f"sessions/session-{own}",
    }
    wait("the stack has come to rest", lambda: stack.command("ledger")[0] == 0, within=60, every=0.5)
    # A position that the relay is past, and a moment before the session.
    cursor = stack.sql("select cursor from identity.relay")[0]["cursor"]
    instead.update({"120": str(cursor - 1), "5m": "14m"})
    where, here, wrong = os.getcwd(), {}, []
    found = list(examples(stack))
    assert [name for name, lines in found if not lines] == []
    # Files that one example writes another one reads.
    os.chdir(tmp_path)
    try:
        for name, lines in sorted(found, key=lambda one: one[0] not in ("capture",)):
            for line in lines:
                if ELSEWHERE.search(line):
                    continue
                words = shlex.split(re.sub(r"^.*?mirrormate |\)$| > .*", "", line))
                words = [instead.get(word, word).replace("../", f"{tmp_path}/") for word in words]
                code, out, notes = stack.command(*words)
                wanted = next((code for form, code in OTHERWISE.items() if re.search(form, " ".join(words))), 0)
                here[line] = code
                if code != wanted:
                    wrong.append(f"{line}: {code}, not {wanted}\n{out[-300:]}{notes[-600:]}")
    except StackError as error:
        wrong.append(str(error))
    finally:
        os.chdir(where)
    assert not wrong, "\n".join(wrong)
    assert len(here) > 40, here


# MARK: commands of the documents

# Those of docs/operations.md are its runbooks, which have a file of their own.
DOCUMENTS = ["README.md", *sorted(f"docs/{name}" for name in os.listdir(os.path.join(ROOT, "docs")) if name.endswith(".md"))]
# What is answered with another exit code than 0 here: nobody has set up the plan with a kind of that name, nor a provider, nor a shop.
OTHERWISE_IN_DOCUMENTS = {r"--kind dance": 1, r"^providers try": 1, r"^purchases": 1}


def test_every_command_of_readme_and_documents_can_be_run(stack, known, tmp_path):
    own = Speaker(stack, small_video())
    instead = {"ada@example.org": own.user.email, "talk.mp4": known["video"], "pitch.mp4": known["video"]}
    wait("the stack has come to rest", lambda: stack.command("ledger")[0] == 0, within=60, every=0.5)
    where, here, wrong = os.getcwd(), [], []
    os.chdir(tmp_path)
    try:
        for document in DOCUMENTS:
            for words in [] if document == "docs/operations.md" else runbooks.of_the_tool(document):
                if ELSEWHERE.search(" ".join(["mirrormate", *words])) or words[0] == "backup":
                    continue
                # Ids are those of the run that the document shows.
                shown = own.user.id if words[0] == "explain" else own.session
                words = [shown if re.fullmatch(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", word) else instead.get(word, word)
                         for word in words]
                # Whoever is remembered here may have used up the day.
                code, out, notes = stack.command(*words, *(["--new-user"] if words[0] == "submit" else []))
                line = " ".join(words)
                wanted = next((code for form, code in OTHERWISE_IN_DOCUMENTS.items() if re.search(form, line)), 0)
                here.append(line)
                if code != wanted:
                    wrong.append(f"{document}: {line}: {code}, not {wanted}\n{out[-300:]}{notes[-600:]}")
    except StackError as error:
        wrong.append(str(error))
    finally:
        os.chdir(where)
    assert not wrong, "\n".join(wrong)
    assert len(here) > 20 and (tmp_path / "report.json").stat().st_size > 1000, here
