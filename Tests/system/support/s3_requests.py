"""Requests to an S3 server as one of its users, signed by hand (AWS Signature Version 4)."""
import datetime
import hashlib
import hmac
import http.client


def send(address, user, secret, method, path, query="", body=b"", headers=()):
    """The status of a request; `path` and `query` are encoded already, `headers` are signed too."""
    now = datetime.datetime.now(datetime.timezone.utc).strftime("%Y%m%dT%H%M%SZ")
    scope = f"{now[:8]}/us-east-1/s3/aws4_request"
    signed = {"host": address, "x-amz-content-sha256": hashlib.sha256(body).hexdigest(), "x-amz-date": now, **dict(headers)}
    names = ";".join(sorted(signed))
    canonical = "\n".join([method, path, query, *(f"{name}:{signed[name]}" for name in sorted(signed)), "", names,
                           signed["x-amz-content-sha256"]])
    text = "\n".join(["AWS4-HMAC-SHA256", now, scope, hashlib.sha256(canonical.encode()).hexdigest()])
    key = f"AWS4{secret}".encode()
    for part in scope.split("/"):
        key = hmac.digest(key, part.encode(), "sha256")
    signature = hmac.digest(key, text.encode(), "sha256").hex()
    connection = http.client.HTTPConnection(address, timeout=20)
    try:
        connection.request(method, path + (f"?{query}" if query else ""), body, {
            **signed, "Authorization": f"AWS4-HMAC-SHA256 Credential={user}/{scope}, SignedHeaders={names}, Signature={signature}"})
        return connection.getresponse().status
    finally:
        connection.close()
