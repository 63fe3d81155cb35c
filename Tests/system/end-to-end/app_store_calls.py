"""Signs as the App Store does, well and not well, and says what Apple's own library makes of it; run by test_app_store.py with a Python
that has the library.

    app_store_calls.py make FOLDER           makes certificates: root.pem, intermediate.pem, leaf.pem, leaf.key
    app_store_calls.py judge FOLDER USER     what is told of somebody, as lines of JSON: name, kind, signed, verdict
"""
import base64
import datetime
import json
import os
import sys
import time

import jwt
from appstoreserverlibrary.models.Environment import Environment
from appstoreserverlibrary.signed_data_verifier import SignedDataVerifier, VerificationException
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

BUNDLE = "org.example.app"
APP = 1234567890
LEAF_MARKER = "1.2.840.113635.100.6.11.1"
INTERMEDIATE_MARKER = "1.2.840.113635.100.6.2.1"
DAY = 86_400_000
NOW = int(time.time()) * 1000


class Certificate:
    """A certificate and its key."""

    def __init__(self, certificate, key):
        self.certificate = certificate
        self.key = key

    @property
    def der(self):
        return self.certificate.public_bytes(serialization.Encoding.DER)


def name(text):
    return x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, text)])


def issued(subject, issuer=None, authority=False, marker=None, days=(-400, 400), curve=ec.SECP256R1):
    """A certificate, issued by another one or by itself."""
    key = ec.generate_private_key(curve())
    signer = issuer.key if issuer else key
    begin = datetime.datetime.now(datetime.timezone.utc)
    builder = (
        x509.CertificateBuilder().subject_name(name(subject)).issuer_name(issuer.certificate.subject if issuer else name(subject))
        .public_key(key.public_key()).serial_number(x509.random_serial_number())
        .not_valid_before(begin + datetime.timedelta(days=days[0])).not_valid_after(begin + datetime.timedelta(days=days[1]))
        .add_extension(x509.BasicConstraints(ca=authority, path_length=None), critical=True)
        .add_extension(x509.KeyUsage(digital_signature=not authority, content_commitment=False, key_encipherment=False,
                                     data_encipherment=False, key_agreement=False, key_cert_sign=authority, crl_sign=authority,
                                     encipher_only=False, decipher_only=False), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False))
    if issuer:
        builder = builder.add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(signer.public_key()), critical=False)
    if marker:
        builder = builder.add_extension(x509.UnrecognizedExtension(x509.ObjectIdentifier(marker), b"\x05\x00"), critical=False)
    # Apple's own are of P-384 with SHA-384, but for the leaf's key.
    return Certificate(builder.sign(signer, hashes.SHA384()), key)


def chain(days=(-400, 400), leaf_marker=LEAF_MARKER, intermediate_marker=INTERMEDIATE_MARKER, leaf_authority=False, root=None):
    """Leaf, intermediate, root."""
    root = root or issued("Root", authority=True, days=days, curve=ec.SECP384R1)
    intermediate = issued("Relations", root, authority=True, marker=intermediate_marker, days=days, curve=ec.SECP384R1)
    return [issued("Signing", intermediate, authority=leaf_authority, marker=leaf_marker, days=days), intermediate, root]


def signed(payload, certificates, key=None, algorithm="ES256", named=None):
    """A signature, whose header may name another algorithm than it is by."""
    shown = [base64.b64encode(one.der).decode() for one in certificates]
    key = key or certificates[0].key
    if algorithm == "HS256":
        # The public key, which everybody knows, as the secret.
        key = base64.b64encode(certificates[0].der)
    if algorithm == "none":
        key = None
    text = jwt.encode(payload, key, algorithm=algorithm, headers={"x5c": shown})
    if named:
        header, rest = text.split(".", 1)
        padded = json.loads(base64.urlsafe_b64decode(header + "=" * (-len(header) % 4)))
        padded["alg"] = named
        text = base64.urlsafe_b64encode(json.dumps(padded).encode()).rstrip(b"=").decode() + "." + rest
    return text


def transaction(user, **more):
    return {
        "transactionId": "2000000000000001", "originalTransactionId": "2000000000000001", "bundleId": BUNDLE,
        "productId": "app.plus.monthly", "type": "Auto-Renewable Subscription", "purchaseDate": NOW - DAY,
        "originalPurchaseDate": NOW - DAY, "expiresDate": NOW + 29 * DAY, "signedDate": NOW, "environment": "Production",
        "quantity": 1, "price": 9990, "currency": "EUR", "inAppOwnershipType": "PURCHASED", "transactionReason": "PURCHASE",
        "storefront": "DEU", "storefrontId": "143443", "appAccountToken": user, **more}


def renewal(**more):
    return {
        "originalTransactionId": "2000000000000001", "autoRenewProductId": "app.plus.monthly", "productId": "app.plus.monthly",
        "autoRenewStatus": 1, "signedDate": NOW, "environment": "Production", "recentSubscriptionStartDate": NOW - DAY, **more}


def notification(number, inner, after, sign, **data):
    """A notification, and what is in it, all signed in the same way."""
    return sign({
        "notificationType": "SUBSCRIBED", "subtype": "INITIAL_BUY", "notificationUUID": f"00000000-0000-4000-8000-{number:012}",
        "version": "2.0", "signedDate": inner["signedDate"],
        "data": {"appAppleId": APP, "bundleId": BUNDLE, "bundleVersion": "7", "environment": inner["environment"], "status": 1,
                 "signedTransactionInfo": sign(inner), "signedRenewalInfo": sign(after), **data}})


def cases(good, user):
    """What is signed, by its name: how, and what is changed in the transaction."""
    leaf, intermediate, root = good
    other = chain()
    yield "as Apple does", lambda payload: signed(payload, good), {}
    yield "by a root that only the message names", lambda payload: signed(payload, other), {}
    yield "by another root, with the good one at its end", lambda payload: signed(payload, [*other[:2], root]), {}
    yield "by another leaf", lambda payload: signed(payload, [other[0], intermediate, root]), {}
    yield "by a chain of two", lambda payload: signed(payload, [leaf, intermediate]), {}
    yield "by a chain of four", lambda payload: signed(payload, [*good, root]), {}
    yield "by a leaf without a marker", lambda payload, of=chain(leaf_marker=None, root=root): signed(payload, of), {}
    yield "by an issuer without a marker", lambda payload, of=chain(intermediate_marker=None, root=root): signed(payload, of), {}
    yield "by what is over", lambda payload, of=chain((-20, -10), root=root): signed(payload, of), {}
    yield "by what is still to come", lambda payload, of=chain((10, 20), root=root): signed(payload, of), {}
    yield "by what was good then", lambda payload, of=chain((-20, -10), root=root): signed(payload, of), {"signedDate": NOW - 15 * DAY}
    yield "by another key", lambda payload: signed(payload, good, other[0].key), {}
    yield "by nothing", lambda payload: signed(payload, good, algorithm="none"), {}
    yield "by a code", lambda payload: signed(payload, good, algorithm="HS256"), {}
    yield "under another name", lambda payload: signed(payload, good, named="none"), {}
    yield "and changed", lambda payload: changed(signed(payload, good)), {}
    yield "for another app", lambda payload: signed(payload, good), {"bundleId": "org.example.other"}
    yield "for tests", lambda payload: signed(payload, good), {"environment": "Sandbox"}
    yield "for Xcode", lambda payload: signed(payload, good), {"environment": "Xcode"}


def changed(text):
    """The same with another byte in the payload."""
    header, payload, signature = text.split(".")
    middle = len(payload) // 2
    return f"{header}.{payload[:middle]}{'A' if payload[middle] != 'A' else 'B'}{payload[middle + 1:]}.{signature}"


def verdict(kind, text, verifier):
    try:
        if kind == "transaction":
            verifier.verify_and_decode_signed_transaction(text)
        else:
            told = verifier.verify_and_decode_notification(text)
            verifier.verify_and_decode_signed_transaction(told.data.signedTransactionInfo)
            verifier.verify_and_decode_renewal_info(told.data.signedRenewalInfo)
    except VerificationException as fault:
        return fault.status.name
    return "OK"


def make(folder):
    for title, one in zip(("leaf", "intermediate", "root"), chain()):
        with open(os.path.join(folder, f"{title}.pem"), "wb") as file:
            file.write(one.certificate.public_bytes(serialization.Encoding.PEM))
        with open(os.path.join(folder, f"{title}.key"), "wb") as file:
            file.write(one.key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8,
                                             serialization.NoEncryption()))
    os.chmod(os.path.join(folder, "root.pem"), 0o644)


def read(folder, title):
    with open(os.path.join(folder, f"{title}.pem"), "rb") as file:
        certificate = x509.load_pem_x509_certificate(file.read())
    with open(os.path.join(folder, f"{title}.key"), "rb") as file:
        return Certificate(certificate, serialization.load_pem_private_key(file.read(), None))


def judge(folder, user):
    good = [read(folder, title) for title in ("leaf", "intermediate", "root")]
    verifier = SignedDataVerifier([good[2].der], False, Environment.PRODUCTION, BUNDLE, APP)
    for number, (title, sign, more) in enumerate(cases(good, user)):
        inner = transaction(user, **more)
        after = renewal(**{key: value for key, value in more.items() if key != "bundleId"})
        data = {key: value for key, value in more.items() if key == "bundleId"}
        for kind, text in (("transaction", sign(inner)), ("notification", notification(number, inner, after, sign, **data))):
            print(json.dumps({"name": title, "kind": kind, "signed": text, "verdict": verdict(kind, text, verifier)}))


if __name__ == "__main__":
    {"make": make, "judge": judge}[sys.argv[1]](*sys.argv[2:])
