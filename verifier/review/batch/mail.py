"""Sends the morning report by e-mail, where a mail server is configured."""

from __future__ import annotations

import os
import smtplib
from collections.abc import Sequence
from email.message import EmailMessage
from typing import Final
from urllib.parse import unquote, urlsplit

from verifier.domain.errors import BadInput
from verifier.review.batch.report import MorningReport
from verifier.review.batch.report_files import ReportFiles, report_page, report_stills, summary
from verifier.review.batch.to_look_at import ToLookAt

VARIABLE: Final = "VERIFIER_SMTP_URL"
TIMEOUT_S: Final = 30.0
_PIN: Final = """
The audit log ended at {head}. This message is a pin of it: keep it where nobody changes it. Whether the log still holds
that entry is told by

    verifier evidence log --pin {head}
"""
_PORTS: Final = {"smtp": 25, "smtps": 465, "smtp+starttls": 587}


def message_of(
    report: MorningReport, files: ReportFiles, sender: str, to: Sequence[str], head: str = ""
) -> EmailMessage:
    """Return the e-mail: the night in a sentence with its findings as plain text, the page with its stills, and the
    PDF.

    The plain text tells where the audit log ends (`head`, ENTRY:HASH), too.
    """
    message = EmailMessage()
    state = "all watched" if report.complete else "watched in part"
    message["Subject"] = f"Night of {report.night}: {state}, {sum(report.findings.values())} findings"
    message["From"], message["To"] = sender, ", ".join(to)
    stills = report_stills(report)
    names = {name: f"still-{number}@verifier" for number, name in enumerate(stills, start=1)}
    pin = [_PIN.format(head=head).strip()] if head else []
    message.set_content("\n\n".join([summary(report), *map(_plain, report.to_look_at), *pin]) + "\n")
    page = report_page(report, {name: f"cid:{cid}" for name, cid in names.items()})
    message.add_alternative(page, subtype="html")
    _, html = message.iter_parts()
    assert isinstance(html, EmailMessage)
    for name, jpeg in stills.items():
        html.add_related(jpeg, maintype="image", subtype="jpeg", cid=f"<{names[name]}>")
    name = f"night-{report.night}.pdf"
    message.add_attachment(files.pdf.read_bytes(), maintype="application", subtype="pdf", filename=name)
    return message


def _plain(one: ToLookAt) -> str:
    """Return a finding as plain text for a reader without HTML."""
    where = f"Site {one.site}, table {one.table}, {one.where}, {one.when}, {one.recording}"
    state = f"Decided: {one.decided}." if one.decided else f"To do: {one.to_do}"
    head = f"{one.verdict.capitalize()}: {one.says} ({one.severity}, {one.sure})"
    seen = [f"Seen: {one.observed}"] if one.shortened else []
    return "\n".join([head, where, f"{one.title}, {one.cite}, {one.clause}", *seen, state, one.link])


def send_report(
    report: MorningReport, files: ReportFiles, to: Sequence[str], url: str | None = None, *, head: str = ""
) -> None:
    """Send the report through the server of `url` (default: VERIFIER_SMTP_URL), for example smtps://user:word@host:465.

    `head` is where the audit log ends, as `verifier evidence log --pin` takes it; the message is a pin of it.
    Raises BadInput if the address is none or the server does not take the message.
    """
    address = urlsplit(url or os.environ.get(VARIABLE, ""))
    if address.scheme not in _PORTS or not address.hostname:
        example = "smtp+starttls://user:password@mail.example.org"
        raise BadInput(VARIABLE, "is no address of a mail server", f"set it, for example to {example}")
    host, port = address.hostname, address.port or _PORTS[address.scheme]
    user = unquote(address.username or "")
    sender = user if "@" in user else f"verifier@{host}"
    try:
        kind = smtplib.SMTP_SSL if address.scheme == "smtps" else smtplib.SMTP
        with kind(host, port, timeout=TIMEOUT_S) as server:
            if address.scheme == "smtp+starttls":
                server.starttls()
            if user:
                server.login(user, unquote(address.password or ""))
            server.send_message(message_of(report, files, sender, to, head))
    except (OSError, smtplib.SMTPException) as error:
        raise BadInput(f"{host}:{port}", f"did not take the report ({error})", "check VERIFIER_SMTP_URL") from error
