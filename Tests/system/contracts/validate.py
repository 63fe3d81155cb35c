"""Checks docs/asyncapi.json, docs/schemas and docs/openapi*.json with public validators, and every released record with
the schema of its type."""
import glob
import json
import pathlib
import sys

import asyncapi3
import jsonschema
from openapi_spec_validator import OpenAPIV31SpecValidator

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent.parent
failures = []


def load(path):
    return json.loads(pathlib.Path(path).read_text())


def resolve(document, reference):
    for part in reference.removeprefix("#/").split("/"):
        document = document[part]
    return document


document = load(ROOT / "docs/asyncapi.json")
try:
    asyncapi3.AsyncAPI3.model_validate(document)
except ValueError as error:
    failures.append(f"docs/asyncapi.json: {error}")
for name, operation in document["operations"].items():
    for reference in [operation["channel"], *operation["messages"]]:
        try:
            resolve(document, reference["$ref"])
        except KeyError as error:
            failures.append(f"docs/asyncapi.json: operation {name} refers to {reference['$ref']}, where there is no {error}")

records = 0
checker = jsonschema.Draft202012Validator.FORMAT_CHECKER
for path in sorted(glob.glob(str(ROOT / "Services/*/Contracts/published/*.json"))):
    golden = load(path)
    _, service, name, version = golden["type"].split(".")
    if name == "Lease":
        continue
    schema = load(ROOT / f"docs/schemas/{service}/{name}.{version}.json")
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema, format_checker=checker)
    headers = jsonschema.Draft202012Validator(document["components"]["schemas"]["Headers"])
    for record in golden["records"]:
        records += 1
        for error in [*validator.iter_errors(record["value"]), *headers.iter_errors(record["headers"])]:
            failures.append(f"{path}: {error.message}")

apis = sorted(glob.glob(str(ROOT / "docs/openapi*.json")))
for path in apis:
    for error in OpenAPIV31SpecValidator(load(path)).iter_errors():
        failures.append(f"{path}: {error.message}")

for failure in failures:
    print(f"✗ {failure}", file=sys.stderr)
print(f"AsyncAPI: {len(document['channels'])} channels, {len(document['components']['messages'])} messages; "
      f"{records} released records fit their schemas; {len(apis)} OpenAPI documents; {len(failures)} failures")
sys.exit(1 if failures else 0)
