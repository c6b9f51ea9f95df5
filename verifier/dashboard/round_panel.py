"""The round's cards and money as a table, and what happened in order."""

from __future__ import annotations

from html import escape

import pandas as pd
import streamlit as st

from verifier.domain.findings import Finding
from verifier.domain.places import Place
from verifier.review.round_view import HandView, RoundView
from verifier.review.wording import moment, plain_card, plain_place

STYLE = """<style>
.stMainBlockContainer { padding: 1.2rem 2rem 2rem; }
.stMainBlockContainer > div > [data-testid=stVerticalBlock] { gap: 0.5rem; }
.st-key-accusation h2 { font-size: 1.3rem; line-height: 1.25; padding: 0; }
.st-key-accusation p, .st-key-accusation [data-testid=stText] { font-size: 0.85rem; margin: 0; }
.st-key-accusation [data-testid=stMarkdownContainer], .st-key-accusation [data-testid=stCaptionContainer] { margin: 0; }
.st-key-accusation, .st-key-decision, .st-key-decision [data-testid=stVerticalBlock] { gap: 0.35rem; }
.st-key-decision p, .st-key-decision [data-testid=stMarkdownContainer] { margin: 0; }
[class*=st-key-decision] [data-testid=stCaptionContainer] { margin: 0; }
.st-key-decision h3 { font-size: 1rem; line-height: 1.5; padding: 0; }
.st-key-reasons button p { font-size: 0.8rem; line-height: 1.1; }
.st-key-decision button { min-height: 2.1rem; padding: 0.1rem 0.6rem; }
.st-key-waiting p { font-size: 0.85rem; margin: 0; }
.st-key-waiting button { min-height: 2rem; padding: 0 0.6rem; }
@media (min-width: 641px) {
  [data-testid=stLayoutWrapper]:has(> .st-key-seen) { position: sticky; top: 0; }
  [data-testid=stLayoutWrapper]:has(> .st-key-decision) { position: sticky; bottom: 0; z-index: 2; }
  .st-key-decision { max-height: 70vh; overflow-y: auto; background: light-dark(#fff, #171614); padding-top: 0.35rem; }
}
@media (max-width: 1100px) {
  .stMainBlockContainer { padding: 0.8rem 1rem 1rem; }
  .st-key-accusation h2 { font-size: 1.1rem; }
}
@media (min-width: 641px) and (max-width: 1100px) {
  .st-key-walk [data-testid=stHorizontalBlock] { flex-wrap: nowrap; }
  .st-key-walk [data-testid=stColumn] { flex: 0 0 auto; width: auto; min-width: 0; }
  .st-key-walk [data-testid=stColumn]:nth-child(2) { flex: 1 1 0; }
}
@media (max-width: 768px) {
  .stMainBlockContainer { padding-top: 4rem; }
  [data-testid=stLayoutWrapper]:has(> .st-key-seen) { top: 3.75rem; }
}
@media (max-width: 640px) {
  .st-key-walk > [data-testid=stLayoutWrapper] > [data-testid=stHorizontalBlock] { flex-wrap: wrap; }
  .st-key-walk [data-testid=stColumn] { min-width: 0; flex: 1 1 40%; }
  .st-key-walk [data-testid=stColumn]:nth-child(2) { order: 3; flex-basis: 100%; }
}
@media (min-width: 641px) and (max-width: 768px) and (max-height: 600px) {
  .stMainBlockContainer { padding-bottom: 8rem; }
  [data-testid=stColumn]:has(.st-key-accusation) { padding-bottom: 17rem; }
  .st-key-walk button { min-height: 2rem; padding: 0 0.6rem; }
  [data-testid=stLayoutWrapper]:has(> .st-key-decision) {
    position: fixed; inset: auto 0 0; padding: 0 1rem 0.35rem;
    background: light-dark(#fff, #171614); border-top: 1px solid #d5dad7;
  }
  .st-key-decision textarea { height: 2.2rem; min-height: 2.2rem; }
  .st-key-decision [data-testid=stTextAreaRootElement] { height: auto; min-height: 0; }
  .st-key-decision > [data-testid=stLayoutWrapper] > [data-testid=stVerticalBlock] {
    flex-flow: row wrap; align-items: center;
  }
  .st-key-decision > [data-testid=stLayoutWrapper] > [data-testid=stVerticalBlock] > * { flex: 1 1 100%; }
  .st-key-decision [data-testid=stVerticalBlock] > [class*=st-key-decide] { flex: 1 1 30%; min-width: 0; }
  .st-key-decision [data-testid=stVerticalBlock] > :has(h3) {
    position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%);
  }
  .st-key-decision [data-testid=stVerticalBlock] > :has([data-testid=stCaptionContainer]) { flex: 1 1 40%; }
  .st-key-decision [data-testid=stVerticalBlock] > [class*=st-key-arm] { flex: 0 0 auto; }
  .st-key-reasons > [data-testid=stLayoutWrapper] { flex: 1 1 100%; }
}
div.round { overflow-x: auto; }
table.round { border-collapse: collapse; width: 100%; font-size: 0.85rem; }
table.round th, table.round td { padding: 1px 6px; text-align: left; vertical-align: top; }
table.round th, table.round td { border-bottom: 1px solid #d5dad7; }
table.round th { font-weight: 600; white-space: nowrap; }
table.round tr.meant { background: #fff3c4; color: #1c2620; }
table.round b { white-space: nowrap; }
table.round b.red { color: light-dark(#b00020, #ff8a80); }
table.round tr.meant b.red { color: #b00020; }
@media (max-width: 1100px) {
  table.round thead { display: none; }
  table.round tr { display: grid; grid-template-columns: 4.6rem minmax(0, 1fr) auto; border-bottom: 1px solid #d5dad7; }
  table.round th, table.round td { border-bottom: none; overflow-wrap: anywhere; }
  table.round td:nth-child(4), table.round td:nth-child(5) { grid-column: 2 / 4; }
  table.round td:nth-child(4):not(:empty)::before { content: "Bet: "; }
  table.round td:empty { display: none; }
}
</style>"""
"""Of the page of one finding: all of it on a screen of 1440 by 900.

In a smaller window the picture stays at its top and the decision at its bottom while the text between them scrolls.
At 200 % of 1440 by 900 the decision takes the bottom in its whole width, so that the text beside the picture can be
read. Up to 640 pixels of width Streamlit puts the columns below each other, and nothing stays. Up to 768 pixels
Streamlit's bar, 3.75rem high, lies over the top.
"""


def round_table(view: RoundView, at: str | None) -> None:
    """Draw the cards and money of a round, the dealer first; the place `at` is marked."""
    if view.number is None or not (view.hands or view.dealer.cards):
        return
    rows = "".join(_row(hand, _same(hand.place, at)) for hand in (view.dealer, *view.hands))
    heads = "".join(f"<th>{one}</th>" for one in (f"Round {view.number}", "Cards", "Total", "Bet", "What became of it"))
    st.html(
        f"<div class='round'><table class='round'><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table></div>"
    )


def _row(hand: HandView, meant: bool) -> str:
    cards = " ".join(_card(card) for card in hand.cards)
    texts = (plain_place(hand.place).capitalize(), None, hand.total, ", ".join(hand.money), ", ".join(hand.settled))
    cells = "".join(f"<td>{cards if text is None else escape(text)}</td>" for text in texts)
    return f"<tr class='meant'>{cells}</tr>" if meant else f"<tr>{cells}</tr>"


def _card(card: str) -> str:
    words = "hidden" if card == "??" else plain_card(card)
    return f"<b class='red'>{escape(words)}</b>" if card[1] in "hd" else f"<b>{escape(words)}</b>"


def _same(place: str, meant: str | None) -> bool:
    return meant is not None and Place.parse(place) == Place.parse(meant)


def steps_panel(view: RoundView, finding: Finding, begins: str | None) -> None:
    """List what was seen, in order; `begins` is the table's clock at the recording's second 0 (ISO 8601)."""
    st.markdown("**What was seen, in order** (▶ marks what this finding rests on)")
    rows = [
        {
            "": "▶" if step.cited else "",
            "Time": moment(finding, step.t, begins),
            "What": step.what,
            "Sure": f"{step.p:.0%}" + (" (hardly seen)" if step.weak else ""),
        }
        for step in view.steps
    ]
    if rows:
        widths = {"": st.column_config.TextColumn(width=20), "Time": st.column_config.TextColumn(width=80)}
        widths |= {"What": st.column_config.TextColumn(width=600), "Sure": st.column_config.TextColumn(width=110)}
        height = min(440, 35 * (len(rows) + 1) + 3)
        st.dataframe(pd.DataFrame(rows), hide_index=True, width="stretch", height=height, column_config=widths)
    else:
        st.caption("Nothing was seen here.")
