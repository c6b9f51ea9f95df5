"""How a rulebook is named to people: a proposal never reads as law in force."""

from verifier.domain.rulebooks import ABOUT, described, named


def test_what_is_no_law_says_so_wherever_it_is_named() -> None:
    for rulebook, about in ABOUT.items():
        warned = ["law in force" in named(rulebook), "Not law in force" in described(rulebook, about.text_of)]
        assert warned == [not about.law] * 2
        assert about.standing in described(rulebook, about.text_of)


def test_an_unknown_rulebook_of_an_older_store_keeps_its_id() -> None:
    assert named("nd-2019") == "nd-2019"
    assert described("nd-2019", "2019-07-01") == "nd-2019, text of 2019-07-01"
