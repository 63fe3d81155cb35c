"""make new-service: a service with one aggregate, one read model, its story and its rules' test, in every list of services."""
import json
import re

import read_model
from tree import NotFound, Refused, camel, check_type, services, spoken

CATALOGUE = "Services/mirrormate/Contracts/ContractChecking/Catalogue.swift"
TESTS = "Tests/Services"
# Messages of identity about which the kit or the table of a new service says something.
SPOKEN_OF = {
    "UserErased", "UserErasedV2", "SigningKeyPublished", "SigningKeyPublishedV2", "SigningKeyRetired", "SigningKeyRetiredV2",
    "AnnouncementsBegun", "LoginSessionEnded", "AppTokenIssued", "APIKeyIssued", "APIKeyRevoked",
}


def add(tree, name, aggregate=None):
    if not re.fullmatch(r"[a-z]{3,20}", name):
        raise Refused(f"{name} is no name of a service: small letters only, three to twenty, such as badges.")
    there = services(tree)
    if name in there or tree.has(f"Services/{name}") or any(folder in name for folder in ("mirrormate", "kafka", "postgres")):
        raise Refused(f"{name} is taken.")
    title = name.capitalize()
    aggregate = aggregate or (title[:-1] if name.endswith("s") else title)
    for type_name in (aggregate, aggregate + "Command", aggregate + "Event", aggregate + "Identity", title + "Service"):
        check_type(tree, type_name)
    last = there[-1]

    write(tree, name, title, aggregate)
    swift_lists(tree, name, title, there)
    listed = read_model.add(tree, name, aggregate + "List")
    contracts(tree, name, last)
    tests(tree, name, title, there)
    deployment(tree, name, there)
    scripts(tree, name, there)
    return [
        f"Services/{name}/: what it is for. {aggregate}Command, {aggregate}Event and {aggregate}Decisions have one example; "
        "names of events never change once they were released.",
        f"Services/{name}/README.md and a line in README.md, ARCHITECTURE.md and docs/operations.md, which tell how many services "
        "there are.",
        f"Services/{name}/{aggregate}Reactions.swift: the messages of others that concern it, each with its contract in "
        f"Services/{name}/Contracts.",
        f"Services/{name}/{aggregate}Routes.swift: its routes, described in Services/mirrormate/Contracts/APIDescription, with a "
        "`location` in infra/gateway/nginx.conf.template.",
        f"`make contracts-accept` writes its golden files; then a step at the end of Tests/Services/ContractPathTests/"
        f"IdentityStory.swift hears its SubjectErased about World.ada (becomes ErasureConfirmed), and accept again.",
        *[line for line in listed if "ExportedTableTests" in line],
        "`make documents`, then `make contracts`, which names whatever is still missing.",
        f"For stacks and deployments that run already: a password file db-{name} among their secrets (infra/init makes it for new "
        "ones), and the roles again.",
    ]


def write(tree, name, title, aggregate):
    ignored = [f"{message}.type" for message in messages_of_identity(tree) if message not in SPOKEN_OF]
    names = {
        "service": name, "Service": title, "Aggregate": aggregate, "aggregate": camel(aggregate), "words": spoken(aggregate),
        "ignored": ", ".join(ignored),
    }
    folder = f"Services/{name}"
    for part in ("", "Command", "Command+Recalled", "Event", "Decisions", "Reactions", "Routes"):
        tree.create_from(f"service/Aggregate{part}.swift", f"{folder}/{aggregate}{part}.swift", names)
    tree.create_from("service/Service.swift", f"{folder}/{title}Service.swift", names)
    tree.create_from("service/PublishedBy.swift", f"{folder}/PublishedBy{title}.swift", names)
    tree.create_from("service/Main.swift", f"{folder}/Program/{title}Main.swift", names)
    tree.create_from("service/README.md", f"{folder}/README.md", names)
    tree.create_from("service/tests/Story.swift", f"{TESTS}/ContractPathTests/{title}Story.swift", names)
    tree.create_from("service/tests/RuleTests.swift", f"{TESTS}/{name}/{title}DomainTests/{aggregate}RuleTests.swift", names)


def messages_of_identity(tree):
    found = re.findall(r"DeclaredMessage\(\s*(\w+)\.self, \.identity", tree.read(CATALOGUE))
    if not found:
        raise NotFound(f"{CATALOGUE} declares no message of identity.")
    return found


def contracts(tree, name, last):
    """What it relies on of identity, and identity of it: as the last service and identity do."""
    own = json.loads(tree.read(f"Services/{last}/Contracts/identity.contract.json"))
    own["consumer"] = name
    own["messages"] = {key: value for key, value in own["messages"].items() if key.split(".")[2] in SPOKEN_OF}
    for version in (1, 2):
        erased = own["messages"][f"mirrormate.identity.UserErased.v{version}"]
        erased["use"] = "Removes what is the user's, answers with SubjectErased."
    tree.create(f"Services/{name}/Contracts/identity.contract.json", text(own))
    other = tree.read(f"Services/identity/Contracts/{last}.contract.json")
    other = json.loads(re.sub(r"\b%s\b" % last, name, other))
    other["messages"] = {key: value for key, value in other["messages"].items() if ".SubjectErased." in key}
    tree.create(f"Services/identity/Contracts/{name}.contract.json", text(other))


def text(value):
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


def swift_lists(tree, name, title, there):
    """Where the sources and the manifest name all services."""
    last = there[-1]
    quoted = r",\s*".join(f'"{service}"' for service in there)
    tree.replace("Shared/Events/Contracts/ServiceName.swift", r"^( +case %s)$" % ", ".join(there), rf"\1, {name}")
    tree.replace("Package.swift", r'^(    \+ service\(\s*"%s"[^)]*\))$' % last, rf'\1\n    + service("{name}")')
    tree.replace("Package.swift", r'program\("%s"\),' % last, rf'program("{last}"), program("{name}"),')
    tree.replace("Package.swift", rf"({quoted},)", rf'\1 "{name}",', 0)
    tree.replace("Package.swift", r'^(        tests\(\s*"Services/mirrormate", "MirrormateTests")', f'''        tests(
            "Services/{name}", "{title}DomainTests",
            [
                "{name}", "ServiceKit", "EventSourcingTesting", "Contracts", "EventSourcing", "JSON", "Primitives",
            ]),
''' + r"\1")
    tree.replace(CATALOGUE, r"(= %s)$" % r" \+ ".join(there), rf"\1 + {name}")
    tree.replace(CATALOGUE, r"\}\n\Z", f"\n    private static let {name} = [DeclaredMessage(subjectErasedBy: .{name})]\n}}\n")
    tree.replace("Services/mirrormate/Local/Settings.swift", rf"({quoted})\]", rf'\1, "{name}"]')
    imported(tree, "Services/mirrormate/Debugging/ServiceLogs.swift", name, there)
    listed(tree, "Services/mirrormate/Debugging/ServiceLogs.swift", title, last, "history")


def imported(tree, path, name, there):
    """An import behind that of the last service; the formatter puts it in order."""
    tree.replace(path, r"^((?:@testable )?)(import %s)$" % there[-1], rf"\1\2\n\1import {name}")


def listed(tree, path, title, last, member):
    tree.replace(path, rf"({last.capitalize()}Service\.{member}),(\s*\])", rf"\1, {title}Service.{member},\2")


def tests(tree, name, title, there):
    last, quoted = there[-1], r",\s*".join(f'"{service}"' for service in there)
    last_title = last.capitalize()
    topics = rf'("mirrormate\.{last}\.v1"),'
    tree.replace("Tests/Events/ContractsTests/TopicTests.swift", topics, rf'\1, "mirrormate.{name}.v1",')

    path = f"{TESTS}/DeclarationTests/Services.swift"
    imported(tree, path, name, there)
    listed(tree, path, title, last, "self")
    path = f"{TESTS}/RouteTests/ConfigurationTests.swift"
    imported(tree, path, name, there)
    listed(tree, path, title, last, "self")
    tree.replace(path, rf'("{last}": \[[^\]]*\]),', rf'\1, "{name}": [],')
    path = f"{TESTS}/RouteTests/TokenTests.swift"
    imported(tree, path, name, there)
    tree.replace(path, r"^(    @Test func `is not needed in analysis, which has no routes`)",
                 f"""    @Test func `that is forged, over or foreign opens no route of {name}`() async throws {{
        try await check({title}Service.self, atLeast: 0)
    }}

""" + r"\1")
    path = f"{TESTS}/ContractPathTests/Selection.swift"
    imported(tree, path, name, there)
    tree.replace(path, rf"(\+ {last_title}Service\.problems)$", rf"\1 + {title}Service.problems")
    path = f"{TESTS}/ContractPathTests/PublishingTests.swift"
    tree.replace(path, rf"^( +case \.{last}: .*{last_title}Story.*?)$",
                 rf"\1\n        case .{name}: try await visit({title}Story.self)")
    tree.replace(path, rf"(\[ServiceName\..*?\.{last})\]", rf"\1, .{name}]")
    path = f"{TESTS}/SimulationTests/Simulation.swift"
    tree.replace(path, r"case \.identity((?:, \.\w+)*): break", rf"case .identity\1, .{name}: break")
    tree.replace(path, r"^( +)(case \.identity: erasures\[owner\] \?\? \[\])$", rf"\1\2\n\1case .{name}: []")

    path = f"{TESTS}/mirrormate/ReplayTests/AllSchemas.swift"
    imported(tree, path, name, there)
    listed(tree, path, title, last, "history")
    tree.replace(path, rf'(\("{last}", ServiceProgram\.migrations\({last_title}Service\.self\)\)),',
                 rf'\1, ("{name}", ServiceProgram.migrations({title}Service.self)),')
    path = f"{TESTS}/mirrormate/MirrormateTests"
    tree.replace(f"{path}/ArgumentsTests.swift", rf"(The services are {', '.join(there)})\.", rf"\1, {name}.")
    tree.replace(f"{path}/CompletionTests.swift", rf"(let services: Set = \[{quoted})\]", rf'\1, "{name}"]')

    path = f"{TESTS}/identity/IdentityServiceTests/ErasureTests.swift"
    tree.replace(path, rf"^(enum {last_title}: Speaker .*?)$",
                 rf"\1\nenum {title}: Speaker {{ static let name = ServiceName.{name} }}")
    tree.replace(path, rf"^( +)(try await fixture\.deliver\(Confirmation<){last_title}(>\(anna\.id\)\))$",
                 rf"\g<0>\n\1\2{title}\3", 2)
    number = len(there)
    tree.replace(path, rf"services\.count == {number}\b", f"services.count == {number + 1}")
    tree.replace(path, rf"(type = 'ErasureConfirmed'\"\) == ){number}\)", rf"\g<1>{number + 1})")


def deployment(tree, name, there):
    """Roles, containers, secrets, metrics: wherever a deployment names the services."""
    last, spaced = there[-1], " ".join(there)
    secrets = ", ".join(f"db-{service}" for service in there)
    tree.replace("infra/postgres/roles.sql", secrets, f"{secrets}, db-{name}")
    tree.replace("infra/postgres/roles.sql", rf"(\\set service {last}\n\\set password .*?\n\\ir service\.sql\n)",
                 rf"\1\\set service {name}\n\\set password `cat :'secrets'/db-{name}`\n\\ir service.sql\n")
    tree.replace("infra/init", rf"\bdb-{last}\b", f"db-{last} db-{name}")
    tree.replace("infra/certificates", rf"for name in {spaced} tools;", f"for name in {spaced} {name} tools;")
    for path in ("infra/upgrade", "infra/gateway/start"):
        tree.replace(path, rf"for service in {spaced};", f"for service in {spaced} {name};")
    tree.replace("infra/restore", rf'^services="{spaced}"', f'services="{spaced} {name}"')
    tree.replace("infra/restore", rf"\b{last}-2\"", f'{last}-2 {name}-2"')
    tree.replace("infra/backup", rf"^( +union all select '){last}('.*?)$",
                 lambda match: match[0] + "\n" + match[0].replace(last, name))
    for separator in (r"\|", r" \| "):
        plain = separator.replace("\\", "")
        old = plain.join(there)
        tree.replace("infra/rotate-password", re.escape(old), old + plain + name, 0)
    tree.replace("infra/Dockerfile", rf"/out/{last} ", f"/out/{last} /out/{name} ")
    tree.replace("infra/Dockerfile", r"(for product in [a-z ]*?)( mirrormate mirrormate-media)", rf"\1 {name}\2")
    tree.replace("infra/Dockerfile", rf"(`service` \([a-z, ]*\b{last})\)" if last != "analysis" else r"(`service` \([a-z, ]*)\)",
                 rf"\1, {name})")
    tree.replace("infra/metrics/prometheus.yml", rf"\[{', '.join(there)}\]", f"[{', '.join(there)}, {name}]")
    tree.replace("infra/metrics/rules.yml", rf'^( +or absent\(up\{{job="mirrormate", service=)"{last}"\}}\)$',
                 rf'\g<0>\n\1"{name}"}})')
    compose(tree, name, there)


def compose(tree, name, there):
    path, last, spaced = "docker-compose.yml", there[-1], " ".join(there)
    anchor = f"""x-{name}: &{name}
  <<: *service
  image: mirrormate/{name}:${{MIRRORMATE_VERSION:-dev}}
  environment:
    <<: *environment
    DATABASE_PASSWORD_FILE: /run/secrets/db-{name}
    KAFKA_CERTIFICATE_FILE: /run/secrets/kafka-{name}
    GATEWAY_KEY_HASH_FILE: /run/secrets/gateway-hash-{name}
    OPERATOR_KEY_HASH_FILE: /run/secrets/operator-key-hash
    ANNOUNCEMENT_KEYS_FILE: /run/secrets/announcement-keys
  secrets: [db-{name}, kafka-authority, kafka-{name}, gateway-hash-{name}, announcement-keys, operator-key-hash]

"""
    tree.replace(path, r"^(# A job that runs once at each start)", lambda match: anchor + match[1])
    tree.replace(path, rf"for service in {spaced};", f"for service in {spaced} {name};", 2)
    tree.replace(path, rf"(\[(?:db-admin, )?db-identity, [a-z, -]*\bdb-{last})\b", rf"\1, db-{name}", 3)
    tree.replace(path, rf"^(      - db-{last})$", rf"\1\n      - db-{name}")
    tree.replace(path, rf"^(      - gateway-hash-{last})$", rf"\1\n      - kafka-{name}\n      - gateway-hash-{name}")
    tree.replace(path, rf"^(  kafka-{last}: .*?)$", rf"\1\n  kafka-{name}: {{file: ./secrets/kafka/{name}.pem}}")
    tree.replace(path, rf"(\[gateway-identity, [a-z, -]*\bgateway-{last})\]", rf"\1, gateway-{name}]")
    tree.replace(path, rf"^(  gateway-hash-{last}: .*?)$",
                 rf"\1\n  gateway-{name}: {{file: ./secrets/gateway-{name}}}\n  gateway-hash-{name}: {{file: ./secrets/gateway-hash-{name}}}")
    tree.replace(path, rf"^(  db-{last}: .*?)$", rf"\1\n  db-{name}: {{file: ./secrets/db-{name}}}")
    tree.replace(path, r"^(  gateway:\n)", f"""  {name}:
    <<: *{name}
    build: {{context: ., dockerfile: infra/Dockerfile, target: service, args: {{SERVICE: {name}}}}}

""" + r"\1")
    tree.replace(path, r"^(  prometheus:\n)", f"""  {name}-2:
    <<: *{name}
    profiles: [scale]
    networks: {{inside: {{aliases: [{name}]}}}}

""" + r"\1")


def scripts(tree, name, there):
    """The lists of the system tests."""
    last, quoted = there[-1], ", ".join(f'"{service}"' for service in there)
    for path in ("Tests/system/support/deployment.py", "Tests/system/support/programs.py", "Tests/system/support/deaths.py"):
        tree.replace(path, quoted, f'{quoted}, "{name}"')
    # Whatever else it dies at is up to what it does; an erasure comes by in every service.
    tree.replace(
        "Tests/system/end-to-end/test_crash.py", rf'("erasure\.after-guard": \([^)]*"{last}")\)', rf'\1, "{name}")')
