"""Accidents in the review room, in a real browser: a second tab, a withdrawn finding, "back", long words, the dark."""

from __future__ import annotations

from itertools import pairwise

from playwright.sync_api import Page, expect
from test_dashboard_browser import PLAYER, armed_on, enter, settled, sign_in, stored

from verifier.review.judging import NOTE_MOST
from verifier.review.notes import note_of
from verifier.review.people.roles import Person, Role
from verifier.review.watch.marks import NOTE_MOST as WORDS_MOST
from verifier.review.watch.marks import bookmarks
from verifier.store.repository import Store
from verifier.store.tables import FindingRow

KIM = Person(name="kim", full_name="Kim Olson", role=Role.MANAGER)
CHANGED = "This finding changed after your page was drawn"


def test_a_tab_left_behind_decides_nothing_that_another_tab_decided(address: str, page: Page) -> None:
    sign_in(page, address, "kim")
    first, *_ = (one.id for one in Store().findings())
    armed_on(page, address, first)
    other = page.context.browser.new_page(storage_state=page.context.storage_state())  # type: ignore[union-attr]
    armed_on(other, address, first)
    with page.expect_response("**/room/note/*"):
        page.get_by_placeholder("Note").press_sequentially("the hand hid it")
    other.keyboard.press("1")
    other.get_by_role("button", name="Undo").wait_for()
    assert note_of(KIM, first) == "the hand hid it", "the empty field of one tab drops no note of another"
    stored(1)
    page.get_by_role("button", name="Cannot tell").click()  # which leaves the note's field, too
    page.get_by_text(CHANGED).wait_for()
    assert first in page.url and page.get_by_role("button", name="Undo").count() == 0
    assert [one.decision for one in Store().verdicts()] == ["confirmed"]
    page.get_by_text("Decided before").wait_for()
    settled(page)
    page.keyboard.press("3")  # now it is meant
    assert [one.decision for one in stored(2)] == ["confirmed", "undetermined"]


def test_a_finding_that_is_withdrawn_while_it_is_open_is_not_decided_unawares(address: str, page: Page) -> None:
    sign_in(page, address, "kim")
    first, *_ = (one.id for one in Store().findings())
    armed_on(page, address, first)
    with Store().acting("verifier", "withdraw", f"finding/{first}") as session:
        row = session.get(FindingRow, first)
        assert row is not None
        row.current = False
    page.keyboard.press("1")
    page.get_by_text(CHANGED).wait_for()
    page.get_by_text("Withdrawn: the newest review of this recording no longer makes this finding.").wait_for()
    assert page.get_by_role("button", name="Undo").count() == 0


def test_back_leads_to_the_finding_before(address: str, page: Page) -> None:
    sign_in(page, address, "kim")
    first, second, *_ = (one.id for one in Store().findings())
    armed_on(page, address, first)
    page.keyboard.press("n")
    page.get_by_text(f"Finding {second}").wait_for()
    settled(page)
    page.go_back()
    page.get_by_text(f"Finding {first}").wait_for()
    expect(page.get_by_role("button", name="Confirm: it happened")).to_be_enabled()
    assert first in page.url


def test_words_that_are_too_long_are_told_and_kept_as_far_as_they_go(address: str, page: Page) -> None:
    sign_in(page, address, "kim")
    first, *_ = (one.id for one in Store().findings())
    armed_on(page, address, first)
    note = page.get_by_placeholder("Note")
    note.focus()
    page.keyboard.insert_text("x" * 5000)
    page.get_by_role("heading", level=2).first.click()
    page.get_by_text("The note has 5000 characters.").wait_for()
    assert note_of(KIM, first) == "x" * NOTE_MOST
    settled(page)
    page.keyboard.press("1")
    page.get_by_text(f"say it in {NOTE_MOST}").wait_for()
    assert page.get_by_role("button", name="Undo").count() == 0

    page.goto(f"{address}/watch")
    page.get_by_role("button", name="Bookmark here").click()
    words = page.get_by_placeholder("Words")
    words.focus()
    page.keyboard.insert_text("<script>" + "y" * 5000)
    page.keyboard.press("Enter")
    page.get_by_text(f"The first {WORDS_MOST} are kept.").wait_for()
    (mark,) = bookmarks(Store(), KIM, Store().reviews()[0].id)
    assert mark.note == "<script>" + "y" * (WORDS_MOST - 8)


def test_nothing_of_a_phones_queue_lies_under_the_bar(address: str, page: Page) -> None:
    page.set_viewport_size({"width": 400, "height": 800})
    enter(page, address, "kim")
    settled(page)
    box = page.get_by_role("heading", name="Findings to look at").bounding_box()
    bar = page.get_by_test_id("stHeader").bounding_box()
    assert box is not None and bar is not None and box["y"] >= bar["y"] + bar["height"]


def test_a_finding_is_readable_in_the_dark(address: str, page: Page) -> None:
    page.emulate_media(color_scheme="dark")
    sign_in(page, address, "kim")
    one = next(one for one in Store().findings() if one.finding.round == 1)
    armed_on(page, address, one.id)
    ground = page.get_by_test_id("stApp").evaluate("(one) => getComputedStyle(one).backgroundColor")
    decision = page.locator(".st-key-decision").evaluate("(one) => getComputedStyle(one).backgroundColor")
    assert decision == ground
    added = "<tr><td><b class=red>K</b></td></tr>"
    page.locator("table.round tbody").first.evaluate("(one, row) => one.insertAdjacentHTML('beforeend', row)", added)
    red = page.locator("table.round tr:not(.meant) b.red").last.evaluate("(one) => getComputedStyle(one).color")
    assert red == "rgb(255, 138, 128)", "8 to 1 on the dark ground; #b00020 has 2.5 to 1"


def test_in_a_small_window_the_whole_round_is_in_view_beside_the_picture(address: str, page: Page) -> None:
    """Bets and what became of them go below the cards; nothing is to be scrolled sideways."""
    sign_in(page, address, "kim")
    page.set_viewport_size({"width": 1024, "height": 768})
    first, *_ = (one.id for one in Store().findings())
    armed_on(page, address, first)
    table = page.locator("div.round")
    row = "<tr><td>Space 1, 2nd hand</td><td>ace of spades 10 of hearts 7 of clubs</td><td>18</td>"
    row += "<td>$10.00, doubled for $10.00</td><td>lost, stake and double collected</td></tr>"
    table.locator("tbody").evaluate("(body, row) => { body.innerHTML += row; }", row)
    assert table.evaluate("shown => shown.scrollWidth <= shown.clientWidth")


def test_the_names_of_a_timelines_rows_are_not_cut_off(address: str, page: Page) -> None:
    """A row of what was not watched, and one of a person with a long name."""
    sign_in(page, address, "kim")
    first, *_ = (one.id for one in Store().findings())
    armed_on(page, address, first)
    rows = ("not watched", "Maximiliane Oberhauser-Lindqvist")
    marks = [{"t": 1, "t_end": 2, "lane": row, "label": row, "kind": "gap"} for row in rows]
    cut = page.evaluate(
        f"""(marks) => {{
          const shown = ({PLAYER})().verifierPlayer, box = shown.part("along");
          box.hidden = false;
          shown.fill(box, marks, [0, 9], () => {{}});
          return [...box.querySelectorAll(".name")].map((one) => one.scrollWidth - one.clientWidth);
        }}""",
        marks,
    )
    assert cut == [0, 0]


def test_words_over_the_picture_do_not_lie_over_each_other(address: str, page: Page) -> None:
    """Three cards that lie half over each other, at the size of a phone."""
    page.set_viewport_size({"width": 400, "height": 800})
    sign_in(page, address, "kim")
    first, *_ = (one.id for one in Store().findings())
    armed_on(page, address, first)
    boxes = page.evaluate(
        f"""() => {{
          const shown = ({PLAYER})().verifierPlayer, over = shown.part("over");
          shown.video.pause();
          shown.draw();
          over.replaceChildren();
          shown.written = [];
          const [wide, high] = shown.size;
          for (const n of [0, 1, 2]) {{
            const x = wide / 2 + n * 4 * shown.unit, y = high / 2 + n * 4 * shown.unit;
            const points = [[x, y], [x + 30, y], [x + 30, y + 40], [x, y + 40]];
            shown.outline(over, {{ layer: "cards", words: "face down", points }}, false);
          }}
          const boxes = [...over.querySelectorAll("text")].map((one) => one.getBBox());
          return boxes.map((one) => [one.y, one.y + one.height]);
        }}"""
    )
    assert len(boxes) == 3
    boxes.sort()
    for (_, below), (above, _) in pairwise(boxes):
        assert above >= below - 0.25 * (boxes[0][1] - boxes[0][0]), "a line's box is a little higher than its letters"
