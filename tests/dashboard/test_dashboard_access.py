"""Who sees little, or uses no mouse, can use every page: axe-core's rules, text at twice the size, keys alone."""

from __future__ import annotations

import time
from typing import Any, Final, Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from browsing import PASSWORD, PATIENCE_S
from playwright.sync_api import Locator, Page, ViewportSize, expect
from test_dashboard_browser import settled, sign_in, stored

from verifier.dashboard.navigation import ENTRIES
from verifier.review.people.roles import Act
from verifier.store.repository import Store

GRAVE = ("serious", "critical")
OF_ADMINISTRATORS = (Act.PEOPLE, Act.FOLDERS)
WHOLE: Final[ViewportSize] = {"width": 1440, "height": 900}
TWICE: Final[ViewportSize] = {"width": 720, "height": 450}
"""What is left of it at 200 %."""


EVERY_RULE: Final[dict[str, Any]] = {"resultTypes": ["violations"]}
OF_COLOURS: Final[dict[str, Any]] = {
    **EVERY_RULE,
    "runOnly": {"type": "tag", "values": ["cat.color"]},
    "rules": {"color-contrast-enhanced": {"enabled": False}},  # stricter than what is held in light colours
}
"""The rules whose outcome depends on colours: names, roles and order are the same in light and in dark."""


def faults(page: Page, name: str, rules: dict[str, Any]) -> list[str]:
    """The serious and critical faults that axe-core finds on the page: the rule, the element, why."""
    found: dict[str, Any] = Axe().run(page, options=rules).response
    return [
        f"{name}: {one['id']} ({one['impact']}): {node['target']} {node['html'][:160]}: {node['failureSummary']}"
        for one in found["violations"]
        if one["impact"] in GRAVE
        for node in one["nodes"]
    ]


def pages_of(name: str) -> list[str]:
    """The pages that this account finds in its menu, by their address."""
    acts = [entry for entry in ENTRIES if (entry.act in OF_ADMINISTRATORS) == (name == "ada")]
    return [entry.key for entry in acts]


GROUND = "() => getComputedStyle(document.querySelector('.stApp') ?? document.body).backgroundColor"
STILL = """() => {
  const within = (root) => [...root.querySelectorAll('*')].flatMap((one) => one.shadowRoot ?? []);
  const trees = (root) => [root, ...within(root).flatMap(trees)];
  return trees(document).flatMap((tree) => tree.getAnimations())
    .every((one) => one.playState !== 'running' || one.effect.getComputedTiming().endTime === Infinity);
}"""
"""Whether no colour changes any more, and nothing fades in."""
SIZES = (WHOLE, TWICE)


def test_axe_finds_no_serious_fault_on_any_page(address: str, page: Page) -> None:
    """In light and in dark colours, at the usual size and at 200 %."""
    page.goto(f"{address}/sign-in")
    found = faults_of_both(page, "sign-in")
    for name in ("kim", "ada"):
        sign_in(page, address, name)
        for key in pages_of(name):
            page.set_viewport_size(WHOLE)
            open_page(page, address, key)
            for size in SIZES:
                page.set_viewport_size(size)
                at_rest(page)
                found += faults_of_both(page, f"{key}, {size['width']} wide")
        page.context.clear_cookies()
    assert found == [], "\n".join(found)


def faults_of_both(page: Page, name: str) -> list[str]:
    """The faults in light and in dark colours: the page changes its colours where it stands."""
    found = faults(page, f"{name}, light", EVERY_RULE)
    recolour(page, "dark")
    found += faults(page, f"{name}, dark", OF_COLOURS)
    recolour(page, "light")
    return found


def recolour(page: Page, scheme: Literal["light", "dark"]) -> None:
    """Wait until the page stands in the colours of this scheme, which are others than before."""
    before = page.evaluate(GROUND)
    page.emulate_media(color_scheme=scheme)
    page.wait_for_function(f"before => ({GROUND})() !== before", arg=before, polling=50)
    page.wait_for_function(STILL, polling=100)


def open_page(page: Page, address: str, key: str) -> None:
    """Opens a page by its address and waits until it is drawn."""
    query = f"?id={Store().findings()[0].id}" if key == "finding" else ""
    page.goto(f"{address}/{key}{query}")
    page.locator("h1, h2").first.wait_for()
    settled(page)
    page.locator("[data-testid=stSidebarNavItems][role=none]").first.wait_for(state="attached")
    page.wait_for_function(STILL, polling=100)  # what fades in is drawn
    at_rest(page)
    assert page.url.split("?")[0].endswith(f"/{key}"), "the account has this page"


BOXES = """() => [...document.querySelectorAll('button, select, textarea, a[href], input')]
  .map((one) => { const box = one.getBoundingClientRect(); return [box.left, box.top, box.right, box.bottom]; })"""
"""Where the controls of the page lie."""


def at_rest(page: Page) -> None:
    """Waits until what is loaded late is drawn and has its place: a table is wider than the window for a moment."""
    page.wait_for_function("() => !document.querySelector('[data-testid=stSkeleton]')")
    before, until = None, time.monotonic() + PATIENCE_S
    while (boxes := page.evaluate(BOXES)) != before:
        assert time.monotonic() < until, "the page never comes to rest"
        before = boxes
        page.wait_for_timeout(200)


OUT_OF_REACH = """() => {
  const within = (one) => [one, ...(one.shadowRoot ? all(one.shadowRoot) : [])];
  const all = (root) => [...root.querySelectorAll("*")].flatMap(within);
  const scrolls = (one) => {
    for (let up = one; up; up = up.parentElement ?? up.getRootNode().host)
      if (['auto', 'scroll'].includes(getComputedStyle(up).overflowX) && up.scrollWidth > up.clientWidth) return true;
    return false;
  };
  return all(document.querySelector('[data-testid=stMain]'))
    .filter((one) => one.matches('button, select, textarea, a[href], input:not([type=file])') && one.checkVisibility())
    .filter((one) => { const box = one.getBoundingClientRect(); return box.left < -1 || box.right > innerWidth + 1; })
    .filter((one) => !scrolls(one))
    .map((one) => one.outerHTML.slice(0, 120));
}"""
"""The controls of the page that lie left or right of the window, where nothing scrolls them into it."""


def test_at_twice_the_size_no_control_lies_out_of_reach(address: str, page: Page) -> None:
    """A screen of 1440 by 900 at 200 %."""
    sign_in(page, address, "kim")
    page.set_viewport_size(TWICE)
    found = {}
    for key in ("today", "queue", "finding", "watch", "sample", "weekly", "calibrate"):
        open_page(page, address, key)
        found[key] = page.evaluate(OUT_OF_REACH)
    assert {key: some for key, some in found.items() if some} == {}


@pytest.mark.parametrize(("width", "height"), [(1024, 768), (720, 450)])
def test_picture_and_decision_stand_together_in_a_small_window(
    address: str,
    page: Page,
    width: int,
    height: int,
) -> None:
    """A small screen, and one of 1440 by 900 at 200 %: nobody scrolls between what was seen and the decision.

    Nor does the decision lie over the picture, or over all of the text: the accusation is in view with both.
    """
    sign_in(page, address, "kim")
    page.set_viewport_size({"width": width, "height": height})
    open_page(page, address, "finding")
    stage, decision = page.locator("[data-part=stage]"), page.locator(".st-key-decision")
    says = page.get_by_role("heading", level=2)
    expect(stage).to_be_in_viewport(ratio=1)
    left, top, *_ = edges(decision)
    _, _, right, bottom = edges(stage)
    assert right <= left or bottom <= top, "the decision does not lie over the picture"
    assert edges(says)[3] + 60 < top, "the accusation, and at least two lines below it"
    for name in ("Confirm: it happened", "Reject: it did not", "Cannot tell"):
        expect(page.get_by_role("button", name=name)).to_be_in_viewport(ratio=1)
    page.get_by_role("button", name="Next →").click(trial=True)  # nothing lies over it
    rule = page.get_by_text("The rule:")
    rule.click(trial=True)  # it can be scrolled to where nothing lies over it
    expect(page.get_by_role("button", name="Confirm: it happened")).to_be_in_viewport(ratio=1)
    expect(stage).to_be_in_viewport(ratio=0.6)


def edges(found: Locator) -> tuple[float, float, float, float]:
    """Left, top, right and bottom of an element, in pixels of the window."""
    box = found.bounding_box()
    assert box is not None
    return box["x"], box["y"], box["x"] + box["width"], box["y"] + box["height"]


def test_a_finding_is_decided_by_keys_alone(address: str, page: Page) -> None:
    """From the sign-in on, without a mouse."""
    page.goto(f"{address}/queue")
    page.get_by_role("button", name="Sign in").wait_for()
    page.keyboard.type("kim")  # the field has the focus
    page.keyboard.press("Tab")
    page.keyboard.type(PASSWORD)
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Start with the first open finding").wait_for()
    settled(page)
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Confirm: it happened")).to_be_enabled()
    settled(page)
    name = page.evaluate("() => new URLSearchParams(location.search).get('id')")
    page.keyboard.press("1")
    (verdict,) = stored(1)
    assert (verdict.finding_id, verdict.decision) == (name, "confirmed")


FOCUSED = """() => {
  let one = document.activeElement;
  while (one.shadowRoot?.activeElement) one = one.shadowRoot.activeElement;
  return one.ariaLabel || one.innerText || one.placeholder || one.title || one.tagName;
}"""
"""The words of what has the focus, as they are read aloud."""


def test_a_screen_reader_tells_a_finding_in_the_order_in_which_it_is_decided(address: str, page: Page) -> None:
    sign_in(page, address, "kim")
    open_page(page, address, "finding")
    told = page.get_by_test_id("stMain").aria_snapshot()
    parts = (
        'button "Next',
        'group "Player"',
        'group "Events in order of time"',
        'heading "The payoff of $5.00 stayed a stack." [level=2]',
        "table",
        "The rule:",
        'textbox "Note"',
        'heading "Your decision" [level=3]',
        'button "✔ Confirm: it happened',
        'button "✘ Reject: it did not',
        'button "? Cannot tell',
        "What was seen, in order",
    )
    places = [told.find(part) for part in parts]
    assert -1 not in places, [part for part, place in zip(parts, places, strict=True) if place < 0]
    assert places == sorted(places)


def test_the_tab_key_leads_through_a_finding_to_its_decision(address: str, page: Page) -> None:
    """Without a mouse and without the keys of the page; each timeline is one stop."""
    sign_in(page, address, "kim")
    open_page(page, address, "finding")
    confirm = page.get_by_role("button", name="Confirm: it happened")
    expect(confirm).to_be_enabled()
    settled(page)
    page.get_by_role("button", name="Next →").focus()
    stops = []
    while not stops or "Cannot tell" not in stops[-1]:
        page.keyboard.press("Tab")
        stops.append(page.evaluate(FOCUSED))
        assert len(stops) < 40, stops
    order = (
        "Pause",
        "frame",
        "Full screen",
        "Watch the recording",
        "Export",
        "Note",
        "Confirm",
        "Reject",
        "Cannot tell",
    )
    places = [next((n for n, stop in enumerate(stops) if part in stop), -1) for part in order]
    assert -1 not in places and places == sorted(places), stops
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Undo").wait_for()
    assert [one.decision for one in stored(1)] == ["undetermined"]
