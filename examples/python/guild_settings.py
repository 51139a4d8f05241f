"""Reads and changes the settings of a guild with Python's standard library."""

import json
import os
import sys
import urllib.error
import urllib.request

URL = os.environ.get("GUILD_SETTINGS_URL", "http://127.0.0.1:3000")
TOKEN = os.environ.get("GUILD_SETTINGS_TOKEN", "sandbox-manager-token-00000001")
GUILD = os.environ.get("GUILD_SETTINGS_GUILD", "197038439483310086")


def call(method, body=None, if_match=None, path=""):
    """Sends a request for the guild, or for a path below it.

    Returns the status, the entity tag and the JSON of the response, which is a problem document from 400 on.
    """
    headers = {"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json"}
    if if_match is not None:
        headers["If-Match"] = if_match
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(f"{URL}/guilds/{GUILD}{path}", data, headers, method=method)
    try:
        with urllib.request.urlopen(request, timeout=10) as response:
            return response.status, response.headers["ETag"], json.load(response)
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.headers["ETag"], json.load(error)


def expect_document(method, body=None, if_match=None, path=""):
    """Returns a document and its entity tag, or ends the program with what the problem document says."""
    status, tag, document = call(method, body, if_match, path)
    if status >= 400:
        sys.exit(f"{status} {document['title']}: {document['detail']}")
    return document, tag


def boolean(value):
    return "true" if value else "false"


# Read. The entity tag names the revision of the record.
first, first_tag = expect_document("GET")
print(f"read: {first['name']}, beta is {boolean(first['beta'])}")

# Change: the fields in the body, and no others.
changed, changed_tag = expect_document("PATCH", {"beta": not first["beta"]})
print(f"changed: beta is {boolean(changed['beta'])}")

# Change only if the record is still at the revision that this program knows.
language = "hi" if first["language"] == "ja" else "ja"
translated, _ = expect_document("PATCH", {"language": language}, if_match=changed_tag)
print(f"changed at the known revision: language is {translated['language']}")

# History: who changed what, the newest change first.
history, _ = expect_document("GET", path="/history?limit=1")
newest = history["entries"][0]
difference = newest["changes"]["language"]
print(f"history: language changed from {difference['from']} to {difference['to']}")

# Undo: puts back what one change set. It never overwrites what was changed later.
undone, _ = expect_document("POST", path=f"/history/{newest['revision']}/undo")
print(f"undone: language is {undone['language']}")

# Feature: PUT enables one, DELETE disables it. The others stay as they are, whoever switches them meanwhile.
enabled, enabled_tag = expect_document("PUT", path="/features/reminders")
print(f"enabled: {enabled['enabledFeatures'][-1]}")

# Conflict: the record has changed since the first read. The problem contains the current record.
status, _, problem = call("PATCH", {"prefix": "?"}, if_match=first_tag)
print(f"conflict: {status} {problem['title']}, beta is {boolean(problem['current']['beta'])}")

# Error: every issue of the request is listed with a JSON Pointer.
status, _, problem = call("PATCH", {"prefix": " ?"})
print(f"refused: {status} {problem['title']}, {', '.join(issue['pointer'] for issue in problem['issues'])}")

# A whole record can be sent back as it was read.
restored, _ = expect_document("PATCH", first, if_match=enabled_tag)
print(f"restored: beta is {boolean(restored['beta'])}, language is {restored['language']}")
