"""Generates identity tokens, good and bad, and compares the verdicts of `mirrormate judge-identity-tokens` with those of
google-auth and PyJWT.

  compare.py MIRRORMATE [COUNT] [SEED]

Each kind of token names why a library may accept what is refused here (or, of one kind, refuse what is accepted); any other
disagreement fails, and so does a reason that no token of its kind needs.
"""
import base64
import hashlib
import hmac
import json
import random
import subprocess
import sys
import tempfile
import time

import jwt
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding, rsa
from google.auth import exceptions
from google.oauth2 import id_token

ISSUERS = ["https://accounts.google.com", "accounts.google.com"]
AUDIENCE = ["app", "web"]
LEEWAY = 30
# What neither library looks at, and our rules do: docs/decisions/tokens.md, "Checking a token".
OLD = "tokens are at most ten minutes old here; the libraries have no such rule"
PARTIES = "every audience must be ours, and azp with several (OpenID Connect Core 3.1.3.7); the libraries want one of them"
SUBJECT = "a subject is 1 to 255 ASCII characters (OpenID Connect Core, section 2); the libraries take any"
NAMELESS = "without a kid there is no key; google-auth tries all, PyJWT is given the one"
EXTENSION = "an extension that must be understood is refused (RFC 7515, 4.1.11); google-auth does not look"
LONG = "a token has at most 4,096 bytes here"
TYPED = "a header that names another kind of token is refused (RFC 8725, 3.11); the libraries do not look"
FORM = "strict base 64 and JSON here; the libraries repair padding, ignore spare bits and take the last of two members"
WHOLE = "times are whole seconds here; the libraries cut fractions off"
TYPES = "a claim has its own type here"
LISTED = "an audience may be a list of one (OpenID Connect Core, section 2); google-auth wants a text"
NOTBEFORE = "nbf is checked here; google-auth does not look"


def b64(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


class Keys:
    """A provider's keys, made once."""

    def __init__(self, names):
        self.private = {name: rsa.generate_private_key(public_exponent=65537, key_size=2048) for name in names}

    def public(self, name):
        return self.private[name].public_key()

    def pem(self, name):
        return self.public(name).public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo).decode()

    def jwk(self, name):
        numbers = self.public(name).public_numbers()
        number = lambda value: b64(value.to_bytes((value.bit_length() + 7) // 8, "big"))
        return {"kty": "RSA", "alg": "RS256", "use": "sig", "kid": name, "n": number(numbers.n), "e": number(numbers.e)}

    def sign(self, name, data, algorithm=hashes.SHA256):
        return self.private[name].sign(data, padding.PKCS1v15(), algorithm())


PUBLISHED = ["k1", "k2"]
KEYS = Keys(PUBLISHED + ["stranger"])


def compact(header, claims, key="k1", algorithm=hashes.SHA256):
    text = f"{b64(json.dumps(header).encode())}.{b64(json.dumps(claims).encode())}"
    return f"{text}.{b64(KEYS.sign(key, text.encode(), algorithm))}"


def good(rng, now):
    key = rng.choice(PUBLISHED)
    header = {"alg": "RS256", "kid": key}
    if rng.random() < 0.7:
        header["typ"] = rng.choice(["JWT", "jwt"])
    iat = now - rng.randint(0, 500)
    claims = {"iss": rng.choice(ISSUERS), "aud": rng.choice(AUDIENCE), "iat": iat,
              "exp": now + rng.randint(60, 3600), "sub": str(rng.getrandbits(64)), "email": "ada@example.org",
              "email_verified": rng.choice([True, False, "true", "false"])}
    if rng.random() < 0.3:
        claims["nbf"] = iat
    if rng.random() < 0.3:
        claims["azp"] = rng.choice(["app", "android", "web"])
    return key, header, claims


def changed(change, excuse=None, library=("google", "pyjwt")):
    """A kind of token whose header and claims a function changes."""
    def make(rng, now):
        key, header, claims = good(rng, now)
        change(rng, now, header, claims)
        return compact(header, claims, key), None, None
    return make, excuse, library


def written(write, excuse=None, library=("google", "pyjwt")):
    """A kind of token whose text a function writes."""
    def make(rng, now):
        return write(rng, *good(rng, now)), None, None
    return make, excuse, library


def nonced(token, request):
    def make(rng, now):
        key, header, claims = good(rng, now)
        if token:
            claims["nonce"] = token
        return compact(header, claims, key), request, None
    return make, None, ()


def claim(name, value):
    return lambda rng, now, header, claims: claims.__setitem__(name, value(rng, now) if callable(value) else value)


def head(name, value):
    return lambda rng, now, header, claims: header.__setitem__(name, value)


def without(name):
    return lambda rng, now, header, claims: (claims if name in claims else header).pop(name)


def symmetric(secret, alg="HS256"):
    def write(rng, key, header, claims):
        text = f"{b64(json.dumps({**header, 'alg': alg}).encode())}.{b64(json.dumps(claims).encode())}"
        return f"{text}.{b64(hmac.new(secret(key), text.encode(), hashlib.sha256).digest())}"
    return write


def flipped(part):
    def write(rng, key, header, claims):
        parts = compact(header, claims, key).split(".")
        place = rng.randrange(len(parts[part]) - 2)
        letter = "A" if parts[part][place] != "A" else "B"
        parts[part] = parts[part][:place] + letter + parts[part][place + 1:]
        return ".".join(parts)
    return write


def doubled(rng, key, header, claims):
    payload = json.dumps(claims)[:-1] + ', "sub": "another"}'
    text = f"{b64(json.dumps(header).encode())}.{b64(payload.encode())}"
    return f"{text}.{b64(KEYS.sign(key, text.encode()))}"


def spared(rng, key, header, claims):
    """The same bytes in another text: the last character of a signature of 256 bytes has four bits to spare."""
    symbols = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    token = compact(header, claims, key)
    return token[:-1] + symbols[symbols.index(token[-1]) + rng.randint(1, 15)]


def brought(rng, key, header, claims):
    return compact({**header, "jwk": KEYS.jwk("stranger")}, claims, "stranger")


KINDS = {
    "good": (lambda rng, now: (compact(*(lambda k, h, c: (h, c, k))(*good(rng, now))), None, None), None, ()),
    "nonce": nonced("n-1", "n-1"), "nonce missing": nonced(None, "n-1"), "nonce unasked": nonced("n-1", None),
    "nonce other": nonced("n-1", "n-2"),
    "foreign key": written(lambda rng, key, header, claims: compact(header, claims, "stranger")),
    "other key": written(lambda rng, key, header, claims: compact(header, claims, "k2" if key == "k1" else "k1")),
    "own jwk": written(brought), "jku": changed(head("jku", "https://evil.example/keys")),
    "unknown kid": changed(head("kid", "k3")), "no kid": changed(without("kid"), NAMELESS),
    "kid number": changed(head("kid", 1)),
    "none": written(lambda rng, key, header, claims: compact({**header, "alg": "none"}, claims, key)),
    "none unsigned": written(
        lambda rng, key, header, claims: compact({**header, "alg": "none"}, claims, key).rpartition(".")[0] + "."),
    "HS256 PEM": written(symmetric(lambda key: KEYS.pem(key).encode())),
    "HS256 as RS256": written(symmetric(lambda key: KEYS.pem(key).encode(), "RS256")),
    "HS256 empty": written(symmetric(lambda key: b"")),
    "RS512": written(lambda rng, key, header, claims: compact({**header, "alg": "RS512"}, claims, key, hashes.SHA512)),
    "RS384 signature": written(lambda rng, key, header, claims: compact(header, claims, key, hashes.SHA384)),
    "alg case": changed(head("alg", "rs256")), "crit": changed(head("crit", ["exp"]), EXTENSION),
    "crit b64": changed(lambda rng, now, header, claims: header.update(crit=["b64"], b64=False), EXTENSION, ("google",)),
    "access token": changed(head("typ", "at+jwt"), TYPED), "logout token": changed(head("typ", "logout+jwt"), TYPED),
    "header changed": written(flipped(0)), "payload changed": written(flipped(1)), "signature changed": written(flipped(2)),
    "no signature": written(lambda rng, key, header, claims: compact(header, claims, key).rpartition(".")[0] + "."),
    "two parts": written(lambda rng, key, header, claims: compact(header, claims, key).rpartition(".")[0]),
    "four parts": written(lambda rng, key, header, claims: compact(header, claims, key) + ".e30"),
    "padding": written(lambda rng, key, header, claims: compact(header, claims, key) + "==", FORM),
    "spare bits": written(spared, FORM),
    "two subjects": written(doubled, FORM),
    "wrong issuer": changed(claim("iss", "https://evil.example")), "issuer slash": changed(claim("iss", ISSUERS[0] + "/")),
    "apple": changed(claim("iss", "https://appleid.apple.com")), "issuer list": changed(claim("iss", ISSUERS)),
    "no issuer": changed(without("iss")),
    "wrong audience": changed(claim("aud", "another")), "no audience": changed(without("aud")),
    "audience number": changed(claim("aud", 1)), "empty audiences": changed(claim("aud", [])),
    "audiences without azp": changed(lambda rng, now, header, claims: (claims.pop("azp", None), claims.update(aud=["app", "web"])),
                                     PARTIES),
    "audiences with azp": changed(lambda rng, now, header, claims: claims.update(aud=["app", "web"], azp="web"), LISTED, ("google",)),
    "audiences with another azp": changed(
        lambda rng, now, header, claims: claims.update(aud=["app", "web"], azp="android"), PARTIES),
    "foreign audience beside": changed(claim("aud", ["app", "another"]), PARTIES),
    "audience list": changed(claim("aud", ["app"]), LISTED, ("google",)),
    "expired": changed(claim("exp", lambda rng, now: now - rng.randint(LEEWAY + 5, 5000))),
    "just expired": changed(claim("exp", lambda rng, now: now - rng.randint(0, LEEWAY - 15))),
    "no exp": changed(without("exp")), "exp text": changed(claim("exp", "soon")),
    "exp digits": changed(claim("exp", lambda rng, now: str(now + 600)), TYPES),
    "exp fraction": changed(claim("exp", lambda rng, now: now + 600.5), WHOLE),
    "future": changed(claim("iat", lambda rng, now: now + rng.randint(LEEWAY + 20, 5000))),
    "just ahead": changed(lambda rng, now, header, claims: (claims.pop("nbf", None), claims.update(iat=now + rng.randint(1, 10)))),
    "no iat": changed(without("iat")),
    "old": changed(lambda rng, now, header, claims: (claims.pop("nbf", None),
                                                     claims.update(iat=now - rng.randint(640, 3000))), OLD),
    "nbf ahead": changed(claim("nbf", lambda rng, now: now + rng.randint(LEEWAY + 20, 5000)), NOTBEFORE, ("google",)),
    "nbf text": changed(claim("nbf", "now"), NOTBEFORE, ("google",)),
    "no subject": changed(without("sub"), SUBJECT, ("google",)), "empty subject": changed(claim("sub", ""), SUBJECT),
    "long subject": changed(claim("sub", "s" * 256), SUBJECT), "subject number": changed(claim("sub", 7), SUBJECT, ("google",)),
    "subject umlaut": changed(claim("sub", "ä"), SUBJECT), "longest subject": changed(claim("sub", "s" * 255)),
    "long": changed(claim("padding", "x" * 4000), LONG), "claims list": written(
        lambda rng, key, header, claims: compact(header, [claims], key)),
    "garbage": written(lambda rng, key, header, claims: rng.choice(["", ".", "..", "a.b.c", "null", "x" * 50])),
}


class Certificates:
    """In the place of the network: what google-auth fetches."""

    def __call__(self, *_, **__):
        class Answer:
            status = 200
            data = json.dumps({name: KEYS.pem(name) for name in PUBLISHED}).encode()
        return Answer()


def by_google(token, nonce):
    try:
        claims = id_token.verify_oauth2_token(token, Certificates(), AUDIENCE, clock_skew_in_seconds=LEEWAY)
    except (LookupError, ValueError, TypeError, AttributeError, exceptions.GoogleAuthError):
        # It falls over some tokens; nobody is let in by that.
        return False
    return claims.get("nonce") == nonce


def by_pyjwt(token, nonce):
    try:
        kid = jwt.get_unverified_header(token).get("kid", "k1")
        if kid not in PUBLISHED:
            return False
        claims = jwt.decode(token, KEYS.public(kid), algorithms=["RS256"], audience=AUDIENCE, issuer=ISSUERS, leeway=LEEWAY,
                            options={"require": ["iss", "aud", "sub", "exp", "iat"]})
    except (jwt.PyJWTError, ValueError, TypeError):
        return False
    return claims.get("nonce") == nonce


def main():
    tool, count, seed = sys.argv[1], int((sys.argv[2:] or [500])[0]), int((sys.argv[3:] or [19])[0])
    rng = random.Random(seed)
    names = list(KINDS)
    # Every kind, and good ones as often as a third.
    chosen = names + [rng.choice(names) if rng.random() < 0.65 else "good" for _ in range(count - len(names))]
    now = int(time.time())
    keys = {"keys": [KEYS.jwk(name) for name in PUBLISHED]}
    questions = []
    for name in chosen:
        token, nonce, _ = KINDS[name][0](rng, now)
        questions.append((name, token, nonce))
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as file:
        for _, token, nonce in questions:
            print(json.dumps({"token": token, "keys": keys, "issuers": ISSUERS, "audience": AUDIENCE, "nonce": nonce, "now": now}),
                  file=file)
        file.flush()
        told = subprocess.run([tool, "judge-identity-tokens", file.name], capture_output=True, text=True, check=True)
    verdicts = told.stdout.splitlines()
    assert len(verdicts) == len(questions), f"{len(verdicts)} verdicts on {len(questions)} tokens"
    libraries = {"google": by_google, "pyjwt": by_pyjwt}
    wrong, excused, accepted = [], {}, 0
    for (name, token, nonce), verdict in zip(questions, verdicts):
        ours = verdict.startswith("accepted")
        accepted += ours
        _, excuse, allowed = KINDS[name]
        for library, judge in libraries.items():
            theirs = judge(token, nonce)
            if ours == theirs:
                continue
            # What a library refuses is accepted in one form only.
            if excuse and library in allowed and theirs != (excuse is LISTED):
                excused.setdefault((name, excuse), set()).add(library)
            else:
                wrong.append(f"{name}: here {verdict}, {library} {'accepts' if theirs else 'refuses'}: {token[:60]}…")
    for (name, excuse), who in sorted(excused.items()):
        print(f"{name} ({'refused' if excuse is LISTED else 'accepted'} by {', '.join(sorted(who))}): {excuse}")
    for name in names:
        if KINDS[name][1] and name not in {one for one, _ in excused}:
            wrong.append(f"{name}: no library accepts it, so the table need not excuse it")
    print(f"{len(questions)} tokens of {len(names)} kinds, {accepted} accepted, seed {seed}; {len(wrong)} disagreements")
    print("\n".join(wrong))
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
