"""The dashboard in a real browser: sign-in, triage by keyboard, frames, a verdict, watching, a role that may not."""

from __future__ import annotations

import base64
import re
import time
from pathlib import Path
from urllib.parse import urlparse

import cv2
import numpy as np
import pytest
from browsing import CHROMIUM, PASSWORD, PATIENCE_S, REQUIRED
from first_walk import choose
from playwright.sync_api import Page, expect
from room_session import RoomSession

from verifier.review.frames import frames_at
from verifier.review.people.roles import Person, Role
from verifier.review.watch.marks import bookmark, bookmarks
from verifier.review.watch.minutes import minutes_of
from verifier.review.watch.policy import fastest
from verifier.store.papers import HoldFigure, Papers
from verifier.store.repository import Store
from verifier.store.values import VerdictRecord

PLAYER = (
    "() => [...document.querySelectorAll('*')].map((one) => one.shadowRoot?.querySelector('.player')).find(Boolean)"
)
"""The player's element, which lies in a tree of its own."""

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None and not REQUIRED, reason="no Chromium is installed"),
]


def enter(page: Page, address: str, name: str) -> None:
    """Signs in by the page."""
    page.goto(f"{address}/queue")
    page.get_by_label("Name").fill(name)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    page.get_by_text("Findings to look at").wait_for()


def sign_in(page: Page, address: str, name: str) -> None:
    """Signs in without a page, for who opens another one next: a page takes seconds of a core to load."""
    form = {"name": name, "password": PASSWORD}
    done = page.request.post(f"{address}/sign-in", form=form, headers={"origin": address}, max_redirects=0)
    assert done.status == 303


def stored(count: int) -> list[VerdictRecord]:
    """The verdicts, once there are so many: a decision waits before it is stored."""
    until = time.monotonic() + PATIENCE_S
    while len(found := Store().verdicts()) < count and time.monotonic() < until:
        time.sleep(0.1)
    return found


def settled(page: Page) -> None:
    """Waits until the page is drawn."""
    page.locator("[data-testid=stApp][data-test-script-state=notRunning]").wait_for()


def test_a_manager_works_through_a_filtered_queue_by_keyboard(address: str, page: Page) -> None:
    asked: set[str] = set()
    page.on("request", lambda request: asked.add(urlparse(request.url).hostname or "inside the page"))
    enter(page, address, "kim")
    page.goto(f"{address}/overview")
    expect(page).to_have_title("Overview (2) - Verifier")  # whatever page it is, one sees that something waits
    page.goto(f"{address}/queue?site=0123")
    page.get_by_role("listitem").filter(has_text="0123").or_(page.get_by_text("0123", exact=True)).first.wait_for()
    still = page.locator("img.still").first
    still.scroll_into_view_if_needed()
    page.wait_for_function("() => [...document.querySelectorAll('img.still')].every((one) => one.naturalWidth > 0)")
    expect(page).to_have_title("Findings (2) - Verifier")
    page.get_by_role("button", name="Start with the first open finding").wait_for()
    page.keyboard.press("Enter")
    page.get_by_text("The payoff of $5.00 stayed a stack.").wait_for()
    expect(page.locator("[data-part=play]")).to_have_text("Pause")
    page.get_by_role("button", name="21:00:01: Card dealt, up, K").click()
    expect(page.locator("[data-part=clock]")).to_have_text("21:00:01")
    page.get_by_text("what the software saw in this very frame").wait_for()
    page.keyboard.press("ArrowRight")
    page.get_by_text("the software did not look at this frame").wait_for()
    page.keyboard.press("ArrowLeft")
    page.get_by_text("what the software saw in this very frame").wait_for()

    page.reload()
    page.get_by_text("The payoff of $5.00 stayed a stack.").wait_for()
    page.get_by_role("button", name="Reject: it did not").wait_for()
    page.keyboard.press("2")
    page.get_by_role("button", name="A card was misread").wait_for()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Confirm: it happened").wait_for()
    page.keyboard.press("2")
    expect(page.get_by_role("button", name="A card was misread")).to_be_enabled()
    page.keyboard.press("a")
    page.get_by_text("The hands were out of the picture.").wait_for()
    assert Store().verdicts() == [], "it can be taken back"
    (verdict,) = stored(1)
    said = (verdict.decision, verdict.reviewer, verdict.reason)
    assert said == ("rejected", "Kim Olson (kim)", "misread_card")
    assert asked <= {"localhost", "127.0.0.1", "inside the page"}


def test_a_key_decides_only_the_finding_that_it_was_pressed_for(address: str, page: Page) -> None:
    """After a decision the focus is on no button of the next finding: the space bar plays and pauses its clip.

    Case space_bar_decides.
    """
    sign_in(page, address, "kim")
    first, second, *_ = (one.id for one in Store().findings())
    page.goto(f"{address}/finding?id={first}")
    page.get_by_role("button", name="Cannot tell").click()
    page.wait_for_function("first => !location.href.includes(first)", arg=first)
    page.wait_for_function("() => document.activeElement.tagName === 'H2'")
    page.get_by_text(f"Finding {second}").wait_for()
    page.locator("[data-testid=stApp][data-test-script-state=notRunning]").wait_for()
    play = page.locator("[data-part=play]")
    expect(play).to_have_text("Pause")
    page.keyboard.press("Space")
    expect(play).to_have_text("Play")
    page.keyboard.press("Space")
    expect(play).to_have_text("Pause")
    assert [verdict.finding_id for verdict in stored(1)] == [first]

    page.goto(f"{address}/finding?id={second}")
    expect(page.get_by_role("button", name="Cannot tell")).to_be_enabled()
    settled(page)
    for _ in range(10):  # a key that is held down comes again and again
        page.keyboard.down("3")
        page.wait_for_timeout(300)
    page.keyboard.up("3")
    settled(page)
    assert [verdict.finding_id for verdict in stored(2)] == [first, second]


def armed_on(page: Page, address: str, finding_id: str) -> None:
    """Opens a finding and waits until it can be decided."""
    page.goto(f"{address}/finding?id={finding_id}")
    expect(page.get_by_role("button", name="Confirm: it happened")).to_be_enabled()
    settled(page)


def test_the_space_bar_never_decides_the_last_finding_again(address: str, page: Page) -> None:
    """Nothing follows the last open finding, so its page stays; the pressed button must not keep the focus."""
    sign_in(page, address, "kim")
    first, last, *_ = (one.id for one in Store().findings())
    armed_on(page, address, first)
    page.keyboard.press("3")
    page.wait_for_function("first => !location.href.includes(first)", arg=first)
    confirm = page.get_by_role("button", name="Confirm: it happened")
    expect(confirm).to_be_enabled()
    settled(page)
    confirm.click()
    page.get_by_text("Nothing else is left open.").wait_for()
    page.wait_for_function("() => document.activeElement.tagName === 'H2'")
    assert [one.finding_id for one in stored(2)] == [first, last]
    page.get_by_text("Decided before").wait_for()
    settled(page)
    play = page.locator("[data-part=play]")
    expect(play).to_have_text("Pause")
    page.keyboard.press("Space")
    expect(play).to_have_text("Play")
    settled(page)
    page.wait_for_timeout(1000)
    assert page.get_by_role("button", name="Undo").count() == 0, "no further decision waits"


def test_a_key_decides_nothing_behind_a_full_screen_or_a_dialog(address: str, page: Page) -> None:
    sign_in(page, address, "kim")
    first, *_ = (one.id for one in Store().findings())
    armed_on(page, address, first)
    page.keyboard.press("f")
    page.wait_for_function("() => !!document.fullscreenElement")
    page.keyboard.press("1")
    page.wait_for_function("() => !document.fullscreenElement")
    page.keyboard.press("?")
    page.get_by_role("dialog").wait_for()
    settled(page)
    page.keyboard.press("1")
    page.wait_for_timeout(1500)
    assert first in page.url and page.get_by_role("button", name="Undo").count() == 0
    page.keyboard.press("Escape")
    page.get_by_role("dialog").wait_for(state="detached")
    settled(page)
    page.keyboard.press("1")
    page.get_by_role("button", name="Undo").wait_for()


def test_who_jumps_behind_the_decisive_seconds_has_not_seen_them(address: str, page: Page) -> None:
    """Each half second of them must have been on screen, playing or as a frame: `seen` of a verdict says no less."""
    page.add_init_script("HTMLMediaElement.prototype.play = () => Promise.resolve()")  # nothing plays by itself
    sign_in(page, address, "kim")
    one = next(one for one in Store().findings() if one.finding.round == 1)
    page.goto(f"{address}/finding?id={one.id}")
    player = f"({PLAYER})().verifierPlayer"
    page.wait_for_function(f"() => ({PLAYER})()?.verifierPlayer?.frames.length > 0")
    confirm = page.get_by_role("button", name="Confirm: it happened")
    bar = page.locator("[data-part=bar]")
    box = bar.bounding_box()
    assert box is not None
    bar.click(position={"x": box["width"] - 3, "y": 4})
    page.keyboard.press(".")
    page.wait_for_function(f"() => {player}.cells.size > 0")
    page.wait_for_timeout(1500)
    settled(page)
    assert page.evaluate(f"() => {player}.now() > {player}.data.moment")
    expect(confirm).to_be_disabled()
    page.evaluate(f"() => {player}.show({player}.data.loop[0])")
    for cell in (6, 7, 8, 9):  # seconds 3 to 5
        page.wait_for_function(f"() => {player}.cells.has({cell})")
        for _ in range(5):  # ten frames a second
            page.keyboard.press(".")
    expect(confirm).to_be_enabled()


def test_what_was_shown_before_the_keys_were_drawn_counts(address: str, page: Page) -> None:
    """A slow server draws the decision after the clip has played: else the finding could never be decided as seen."""
    page.add_init_script(
        "document.addEventListener('verifier-shown', (event) => event.stopImmediatePropagation(), true)"
    )
    sign_in(page, address, "kim")
    first, *_ = (one.id for one in Store().findings())
    page.goto(f"{address}/finding?id={first}")
    page.wait_for_function("first => window.verifierShown === first", arg=first)
    page.get_by_role("button", name="Decide without the clip").wait_for()
    page.keyboard.press("2")  # the keys are drawn anew
    expect(page.get_by_role("button", name="A card was misread")).to_be_enabled()


def test_a_key_decides_while_a_tick_box_has_the_focus(address: str, page: Page) -> None:
    """Who ticks "the same for the others of this incident" and presses 1 has decided; a box takes no letters."""
    sign_in(page, address, "kim")
    first, *_ = (one.id for one in Store().findings())
    armed_on(page, address, first)
    page.evaluate("""() => {
      const box = document.body.appendChild(document.createElement("input"));
      box.type = "checkbox";
      box.focus();
    }""")
    page.keyboard.press("1")
    page.get_by_role("button", name="Undo").wait_for()


def test_a_reasons_key_that_comes_before_its_button_counts_once(address: str, page: Page) -> None:
    """The reasons are drawn by the server, later than a quick person presses; F is full screen everywhere else."""
    sign_in(page, address, "kim")
    first, second, *_ = (one.id for one in Store().findings())
    for count, (name, key) in enumerate(((first, "a"), (second, "f")), 1):
        armed_on(page, address, name)
        page.evaluate(f"""() => {{
          for (const key of ["2", "{key}", "{key}"]) {{
            document.body.dispatchEvent(new KeyboardEvent("keydown", {{ key, bubbles: true, composed: true }}));
          }}
        }}""")
        assert page.get_by_role("button", name="A card was misread").count() == 0, "its button is not drawn"
        assert len(stored(count)) == count
    assert not page.evaluate("() => !!document.fullscreenElement")
    told = [(one.finding_id, one.decision, one.reason) for one in stored(2)]
    assert told == [(first, "rejected", "misread_card"), (second, "rejected", "missed_act")]


def test_a_reasons_key_that_comes_early_never_acts_on_what_is_not_in_view(address: str, page: Page) -> None:
    sign_in(page, address, "kim")
    first, *_ = (one.id for one in Store().findings())
    armed_on(page, address, first)
    page.add_style_tag(content=".st-key-reasons { position: fixed !important; top: 4000px; }")
    page.keyboard.press("2")
    page.keyboard.press("a")
    reason = page.get_by_role("button", name="A card was misread")
    expect(reason).to_be_enabled()
    settled(page)
    page.wait_for_timeout(2500)
    assert first in page.url and page.get_by_role("button", name="Undo").count() == 0
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Confirm: it happened").wait_for()
    assert Store().verdicts() == []


def test_a_note_takes_no_click_that_follows_at_once(address: str, page: Page) -> None:
    sign_in(page, address, "kim")
    page.goto(f"{address}/finding?id={next(iter(Store().findings())).id}")
    export = page.get_by_role("button", name="Export as evidence")
    export.wait_for()
    settled(page)
    assert page.get_by_test_id("stSidebarLogo").evaluate("(one) => one.complete && one.naturalWidth > 0"), "it is drawn"
    page.get_by_placeholder("Note").press_sequentially("Seen twice.")
    export.click()  # press and release at once
    page.get_by_role("heading", name="Evidence", exact=True).wait_for(timeout=30_000)


def test_the_next_findings_clip_is_fetched_while_this_one_is_looked_at(address: str, page: Page) -> None:
    sign_in(page, address, "kim")
    first, second, *_ = (one.id for one in Store().findings())
    with page.expect_response(f"**/room/clip/{second}?ahead=1"), page.expect_response(f"**/room/ahead/{second}"):
        page.goto(f"{address}/finding?id={first}")
    settled(page)
    page.wait_for_timeout(1000)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(urlparse(request.url).path))
    page.keyboard.press("n")
    page.get_by_text(f"Finding {second}").wait_for()
    page.get_by_text("drawn:").wait_for()
    page.wait_for_function(f"() => ({PLAYER})().querySelector('video').src.startsWith('blob:')")
    assert f"/room/clip/{second}" not in asked and not any(path.startswith("/room/looks/") for path in asked)
    deeds = [link.deed for link in Store().audit(subject=f"finding/{second}")]
    assert any(deed is not None and "fetched ahead" in str(deed.detail) for deed in deeds)


def test_the_whole_recording_is_asked_for_once_the_finding_is_looked_at(address: str, page: Page) -> None:
    """Its marks are many: the page of a finding does not carry them, and does not wait for them."""
    sign_in(page, address, "kim")
    first, second, *_ = (one.id for one in Store().findings())
    page.goto(f"{address}/finding?id={first}")
    along = page.get_by_role("group", name="The whole recording")
    along.locator(".lane").first.wait_for()
    sent = page.evaluate(f"() => JSON.stringify(({PLAYER})().verifierPlayer.data)")
    assert "round 1" in along.locator(".round").first.get_attribute("title")  # type: ignore[operator]
    assert "round 1" not in sent
    page.evaluate(f"() => {{ ({PLAYER})().querySelector('.along .lane').dataset.drawn = 'before' }}")
    page.keyboard.press("n")
    page.get_by_text(f"Finding {second}").wait_for()
    settled(page)
    page.wait_for_timeout(1500)
    assert along.locator("[data-drawn=before]").count() == 1, "the same recording, in which nothing changed"
    expect(page.get_by_role("button", name="Confirm: it happened")).to_be_enabled()
    settled(page)  # a key that comes amid a run is of the finding before
    page.keyboard.press("1")
    page.get_by_role("button", name="Undo").wait_for()
    stored(1)
    page.goto(f"{address}/finding?id={second}")
    along.get_by_title("(confirmed)").wait_for(state="attached")


def test_the_whole_recording_stands_below_a_findings_clip(address: str, page: Page) -> None:
    sign_in(page, address, "kim")
    first, *_ = (one.id for one in Store().findings())
    page.goto(f"{address}/finding?id={first}")
    along = page.get_by_role("group", name="The whole recording")
    along.locator(".lane").first.wait_for()
    assert along.locator(".lane .name").all_inner_texts()[:2] == ["rounds", "findings"]
    along.locator(".line").first.click(position={"x": 2, "y": 7})  # its beginning, before the clip
    page.get_by_role("heading", name="Watch a recording").wait_for()
    expect(page.locator("[data-part=clock]")).to_contain_text("0:00 of 0:08")
    assert Store().verdicts() == []


def test_a_decision_can_be_taken_back_and_a_closed_browser_loses_none(address: str, page: Page) -> None:
    sign_in(page, address, "kim")
    first, *_ = (one.id for one in Store().findings())
    page.goto(f"{address}/finding?id={first}")
    confirm = page.get_by_role("button", name="Confirm: it happened")
    expect(confirm).to_be_disabled()  # the clip was not shown yet
    page.keyboard.press("1")
    page.get_by_placeholder("Note").fill("seen twice")
    with page.expect_response("**/room/note/*"):
        page.get_by_placeholder("Note").press("End")
    page.reload()
    expect(confirm).to_be_enabled()
    assert page.get_by_placeholder("Note").input_value() == "seen twice"
    confirm.click()
    page.wait_for_function("first => !location.href.includes(first)", arg=first)
    page.get_by_role("button", name="Undo").wait_for()
    page.keyboard.press("u")
    page.wait_for_function("first => location.href.includes(first)", arg=first)
    page.get_by_text("Nothing was stored").wait_for()
    assert Store().verdicts() == []
    confirm.click()
    page.wait_for_function("first => !location.href.includes(first)", arg=first)
    page.get_by_role("button", name="Undo").wait_for()
    page.close()
    assert Store().verdicts() == []
    (verdict,) = stored(1)
    assert (verdict.finding_id, verdict.decision, verdict.note) == (first, "confirmed", "seen twice")
    assert verdict.seen, "the clip was shown"


PICTURE = f"""async () => {{
  const image = ({PLAYER})().querySelector('.still img'), canvas = document.createElement('canvas');
  await image.decode();
  [canvas.width, canvas.height] = [image.naturalWidth, image.naturalHeight];
  canvas.getContext('2d').drawImage(image, 0, 0);
  return canvas.toDataURL('image/png').split(',')[1];
}}"""


def test_ten_quick_presses_are_ten_frames_and_each_shows_its_own_boxes(address: str, page: Page) -> None:
    """No press waits for the server: pictures are fetched ahead. The picture on screen is the recording's own frame."""
    sign_in(page, address, "kim")
    one = next(one for one in Store().findings() if one.finding.round == 1)
    page.set_viewport_size({"width": 1440, "height": 900})
    page.goto(f"{address}/finding?id={one.id}")
    page.get_by_text("drawn:").wait_for()
    page.get_by_role("button", name="21:00:01: Card dealt, up, K").click()
    page.get_by_text("what the software saw in this very frame").wait_for()
    for _ in range(10):
        page.keyboard.press(".")
    index = page.evaluate(f"() => {{ const player = ({PLAYER})().verifierPlayer; return player.frames[player.index] }}")
    assert index == [20, pytest.approx(2.0)], "ten frames after second 1"
    expect(page.locator(".still img")).to_have_attribute("src", re.compile("/20$"))
    shown = cv2.imdecode(np.frombuffer(base64.b64decode(page.evaluate(PICTURE)), np.uint8), cv2.IMREAD_COLOR)
    ((_, wanted),) = frames_at(Path(Store().reviews()[0].video_path), [2.0])
    assert shown.shape == wanted.shape
    assert np.abs(shown.astype(int) - wanted).mean() < 3, "frame 20, as the recording holds it"
    card = page.locator("[data-part=over] polygon.cards")
    expect(card).to_have_attribute("points", "40,30 62,30 62,60 40,60")
    page.get_by_role("button", name="cards", exact=True).click()
    expect(card).to_have_count(0)
    for button in ("Confirm: it happened", "Reject: it did not", "Cannot tell", "Next →"):
        expect(page.get_by_role("button", name=button)).to_be_in_viewport(ratio=1)
    expect(page.get_by_role("heading", name="The payoff of $5.00 stayed a stack.")).to_be_in_viewport(ratio=1)


def test_a_role_that_reads_only_and_nobody_at_all(address: str, page: Page) -> None:
    enter(page, address, "agent")
    page.get_by_role("button", name="Start with the first open finding").click()
    page.get_by_text("You may read, but not decide.").wait_for()
    assert page.get_by_role("button", name="Confirm: it happened").count() == 0
    assert page.get_by_role("link", name="People").count() == 0
    page.get_by_role("button", name="Sign out").click()
    page.get_by_role("button", name="Sign in").wait_for()
    page.goto(f"{address}/people")
    page.get_by_role("button", name="Sign in").wait_for()


def test_charts_and_drawings_work_under_the_policy(address: str, page: Page) -> None:
    figure = HoldFigure(
        site="0123", day="2026-08-03", game="twenty-one", dealer="Ann", gross_cents=100_00, prizes_cents=90_00
    )
    Papers(Store()).add_figures([figure], "kim")
    sign_in(page, address, "kim")
    page.goto(f"{address}/hold")
    page.get_by_label("Quarter").wait_for()
    page.locator(".stVegaLiteChart canvas, .stVegaLiteChart svg").first.wait_for()
    page.goto(f"{address}/calibrate")
    page.get_by_role("heading", name="Draw a table's zones").wait_for()
    page.goto(f"{address}/evidence")
    page.get_by_text("Check a bundle").wait_for()


def test_a_bookmarks_words_and_the_press_that_follows_at_once_both_count(address: str) -> None:
    """A browser tells both in one message."""
    kim, review = Person(name="kim", full_name="Kim Olson", role=Role.MANAGER), Store().reviews()[0].id
    for t in (1.0, 2.0):
        bookmark(Store(), kim, review, t)
    first, second = bookmarks(Store(), kim, review)
    with RoomSession(address, "kim", PASSWORD, PATIENCE_S) as session:
        session.open("watch")
        session.press(f"gone {second.id}", **{f"words {first.id}": "the payoff"})
    assert [(one.t, one.note) for one in bookmarks(Store(), kim, review)] == [(1.0, "the payoff")]


def test_what_plays_on_screen_is_counted(address: str, page: Page) -> None:
    sign_in(page, address, "kim")
    page.goto(f"{address}/watch")
    page.get_by_role("button", name="Play", exact=True).click()
    page.get_by_role("button", name="Bookmark here").click()
    page.get_by_text("You have watched 0.1", exact=False).wait_for()
    review = Store().reviews()[0].id
    (seconds,) = minutes_of(Store(), [review]).values()
    assert 0 < seconds * 60 <= 8.1
    assert len(bookmarks(Store(), Person(name="kim", full_name="Kim", role=Role.MANAGER), review)) == 1


def test_a_press_below_the_player_that_follows_a_bookmarks_words_at_once_counts(address: str, page: Page) -> None:
    kim, review = Person(name="kim", full_name="Kim Olson", role=Role.MANAGER), Store().reviews()[0]
    bookmark(Store(), kim, review.id, 1.0)
    sign_in(page, address, "kim")
    page.goto(f"{address}/watch")
    page.get_by_text("the fastest speed at which watching counts").click()
    settled(page)
    choose(page, page.get_by_role("combobox", name="Fastest speed"), "1.5×")
    keep = page.get_by_role("button", name="Store for this site")
    expect(keep).to_be_enabled()
    settled(page)
    page.get_by_placeholder("Words").press_sequentially("the payoff")
    keep.click()  # press and release at once
    expect(keep).to_be_disabled(timeout=30_000)
    assert fastest(Store(), review.site or "") == 1.5
    assert [one.note for one in bookmarks(Store(), kim, review.id)] == ["the payoff"]
