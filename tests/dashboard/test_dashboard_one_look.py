"""What one look alone told: shown below the player, quietly, as no finding; nothing to decide, nothing counted."""

from __future__ import annotations

from pathlib import Path

import pytest
from review_fakes import FAN, finding
from streamlit.testing.v1 import AppTest
from test_dashboard_pages import home, page, reviewed, sign_in, words  # noqa: F401 - fixtures

from verifier.domain.findings import Unconfirmed
from verifier.review.products import KEPT_UNCONFIRMED, keep_unconfirmed
from verifier.review.recording import Reviewed
from verifier.store.repository import Store

LABEL = "Seen in one look only"
LATER = finding(t_start=6.0, t_end=6.5, observed="A payoff of $7.00 was *taken* back.")
ORDER = finding("ND-08-11.16.b-order", title="Payoffs in order", observed="space 1 was paid last.")


@pytest.fixture
def doubted(reviewed: Reviewed) -> Reviewed:  # noqa: F811
    """A review of which each look told something alone."""
    alone = [Unconfirmed(look="closer", told=LATER), Unconfirmed(look="first", told=finding(), instead=[ORDER])]
    keep_unconfirmed(Path(reviewed.review.folder), alone)
    return reviewed


def sections(app: AppTest) -> list[str]:
    return [one.label for one in app.expander if LABEL in one.label]


def add(app: AppTest) -> None:
    next(one for one in app.button if one.label == "Add the finding").click().run()


def test_each_is_shown_with_clause_time_and_what_both_looks_said(doubted: Reviewed) -> None:
    app = page("watch").run()
    assert not app.exception
    assert sections(app) == [f"{LABEL} (2), no findings"]
    assert [one.value for one in app.text if "First look" in one.value] == [
        "First look: violation, 93% sure: The payoff of $5.00 stayed a stack.\n"
        "Closer look: Payoffs in order, violation, 93% sure: Space 1 was paid last.",
        "First look: nothing of the kind there\nCloser look: violation, 93% sure: A payoff of $7.00 was *taken* back.",
    ]
    shown = words(app).replace("\\", "")
    for text in ("Payoff fanned, round 1, space 1, 21:00:04", f"11(16)(a), clause {FAN}"):
        assert text in shown
    assert "nothing to decide" in shown


def test_it_is_counted_nowhere(doubted: Reviewed) -> None:
    app = page("queue").run()
    assert "Open **2** · " in words(app)
    assert LABEL not in words(app) and not sections(app)
    assert "2 not yet decided" in words(page("weekly").run())


def test_it_leads_to_the_moment_each_time_it_is_asked_for(doubted: Reviewed) -> None:
    review = doubted.review.id
    app = page("watch").run()
    app.button("alone go 1").click().run()
    assert app.session_state[f"resume {review}"] == 0.0
    assert app.session_state[f"asked {review}"] == 1
    app.button("alone go 1").click().run()
    assert app.session_state[f"asked {review}"] == 2, "the player is drawn anew"


def test_who_saw_it_too_makes_a_finding_of_their_own_in_their_own_words(doubted: Reviewed) -> None:
    app = page("watch").run()
    app.button("alone own 1").click().run()
    assert not app.exception
    (form,) = [one for one in app.expander if one.label.startswith("I saw something")]
    assert form.proto.expanded
    add(app)
    assert "say it in a sentence" in app.error[0].value, "the software's words are not the person's"
    app.text_area[0].set_value("The dealer took it back.")
    add(app)
    assert not app.exception
    (own,) = [one for one in Store().findings() if one.origin == "person"]
    said = (own.finding.clause, own.finding.t_start, own.finding.t_end, own.finding.at, own.finding.observed)
    assert said == (FAN, 6.0, 7.0, "space:1", "The dealer took it back."), "whole seconds of the table's clock"
    app.run()
    assert app.text_area[0].value == "", "the form is empty again"
    told = "Stored as your own finding"
    assert [one.value for one in app.success if told in one.value], (
        "said until the next one begins, whatever the player does"
    )
    app.button("alone own 1").click().run()
    assert not [one.value for one in app.success if told in one.value]


def test_what_the_form_does_not_know_stays_empty(reviewed: Reviewed) -> None:  # noqa: F811
    odd = finding("ND-of-another-book", at="discard", t_start=7.0, t_end=200.0)
    keep_unconfirmed(Path(reviewed.review.folder), [Unconfirmed(look="first", told=odd)])
    app = page("watch").run()
    app.button("alone own 0").click().run()
    assert not app.exception
    filled = {name: app.session_state[f"own {name} 0 {reviewed.review.id}"] for name in ("clause", "from", "to", "at")}
    assert filled == {"clause": None, "from": "21:00:07", "to": "21:00:08", "at": ""}


def test_without_anything_of_the_kind_nothing_is_said(reviewed: Reviewed) -> None:  # noqa: F811
    app = page("watch").run()
    assert not app.exception and not sections(app)
    assert "one look" not in words(app)


@pytest.mark.parametrize("damage", [b"", b"{", b"[]", b'{"format":"verifier-unconfirmed","version":2}'])
def test_a_damaged_file_is_one_line_and_the_page_goes_on(doubted: Reviewed, damage: bytes) -> None:
    (Path(doubted.review.folder) / KEPT_UNCONFIRMED).write_bytes(damage)
    app = page("watch").run()
    assert not app.exception and not sections(app)
    (line,) = [one.value for one in app.caption if "one look only cannot be shown" in one.value]
    assert "\n" not in line
    assert any(one.label.startswith("I saw something") for one in app.expander)


def test_a_person_without_video_does_not_see_it(doubted: Reviewed, monkeypatch: pytest.MonkeyPatch) -> None:
    sign_in(monkeypatch, "rob")
    guarded = "from verifier.dashboard import common, watch_page\nwith common.shown_errors():\n    watch_page.show()"
    app = AppTest.from_string(guarded, default_timeout=150).run()
    assert app.error and not sections(app)
