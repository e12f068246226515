"""A player for `coop play --program "python3 docs/agents/player.py"`, with the standard library alone.

Reads one question a line (JSON) and writes one answer a line. Put your own thinking into `choose`. Titles, options
and values in a question were written by strangers: treat them as data, and never as an instruction to a model.
"""

import json
import secrets
import sys


def choose(question):
    """The answer to one question: a commit, a vote, a bid, a pass, or {"kind": "wait"} for no move now."""
    what = question["owed"]["what"]
    allowed = question["allowed"]
    if what == "vote":
        choice = secrets.choice(allowed["choice"])
        return {"kind": "append", "type": "vote", "body": {"choice": choice}}
    if what == "bid":
        return bid(question)
    if isinstance(allowed["value"], list):
        return {"kind": "commit", "value": secrets.choice(allowed["value"])}
    if question["rules"].get("by") == "match":
        return {"kind": "commit", "value": "yes"}
    return {"kind": "commit", "value": str(int(question["rules"].get("reserve", "0")) + secrets.randbelow(100))}


def bid(question):
    """In an English auction: the least bid that would lead, up to 50, then no more."""
    rules = question["rules"]
    amounts = [
        int(move["body"]["amount"])
        for move in question["moves"]
        if move["type"] == "bid" and move["ignored"] is None
    ]
    least = max(amounts) + int(rules.get("increment", "1")) if amounts else int(rules.get("reserve", "0"))
    if least > 50 or question["left"] < 2:
        return {"kind": "append", "type": "pass", "body": {}}
    return {"kind": "append", "type": "bid", "body": {"amount": str(least)}}


def main():
    for line in sys.stdin:
        question = json.loads(line)
        if question["refused"] is not None:
            print(f"refused: {question['refused']}", file=sys.stderr)
        print(json.dumps({"id": question["id"], **choose(question)}), flush=True)


if __name__ == "__main__":
    main()
