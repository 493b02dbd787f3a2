"""The one loop of attacks: order, early end, who is left out; headline and rows of records come from one count."""

from __future__ import annotations

import math
import signal
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import linkrisk
from linkrisk.attack import find as find_module
from linkrisk.attack import loop
from linkrisk.attack.attack import make_attack
from linkrisk.attack.holdout import learn_family
from linkrisk.attack.loop import Attacks
from linkrisk.attack.pipeline import Pipeline
from linkrisk.attack.plan import AttackPlan
from linkrisk.attack.result import Attack, LearnedParameters
from linkrisk.attackers import (
    OWA,
    Attacker,
    BilinearFree,
    Choquet,
    Informed,
    Kernel,
    Mean,
    WeightedMean,
    WeightedMeanMetric,
)
from linkrisk.data import pair_files
from linkrisk.differences import make_comparison
from linkrisk.differences.scale import Scale
from linkrisk.engine import interrupt
from linkrisk.errors import ParameterError
from linkrisk.learning.learn import _Learner
from linkrisk.learning.options import Learning
from linkrisk.learning.problem.problem import make_problem
from linkrisk.learning.search import Clock
from linkrisk.learning.starts import Start
from linkrisk.linkage.ties import Ties
from tests.assessment.samples import mixed_frames, numeric_frames

SCALES = (Scale.SEPARATE, Scale.RANKS)


def attacks(attackers: list[Attacker], frames: Any = None, **more: Any) -> Attacks:
    """Return attacks on two small files that are still to be made."""
    files = pair_files(*(frames or numeric_frames()))
    plan = AttackPlan(learning=Learning(time_limit=1.0))
    return Attacks(attackers, {scale: make_comparison(files, scale) for scale in SCALES}, plan, files, **more)


def labels(found: Attacks) -> list[tuple[str, str]]:
    """Return scale and label of the attacks made."""
    return [(result.scale, result.label) for result in found.results]


def test_results_stand_scale_by_scale_in_the_order_of_the_attackers() -> None:
    """Who learns comes last in time, and where he was named in the table."""
    found = attacks([WeightedMean(), Mean(), Kernel()])
    made = [(attack.result.scale, attack.result.label) for attack in found.run()]
    assert [label for _, label in made] == ["mean", "mean", "kernel", "kernel", "weighted_mean", "weighted_mean"]
    order = ["weighted_mean", "mean", "kernel"]
    assert labels(found) == [(str(scale), label) for scale in SCALES for label in order]


def test_time_limits_stand_in_the_order_in_which_attacks_are_made() -> None:
    """So that the time left is that of the steps left: those who learn come last."""
    told: list[str] = []
    reporter = SimpleNamespace(step=told.append, aside=lambda _: None, progress=lambda *_: None, search=lambda _: None)
    found = attacks([WeightedMean(), Mean(), Informed()], reporter=reporter)
    limits = found.limits()
    list(found.run())
    assert [label.startswith("learning") for label in told] == [limit > 0.0 for limit in limits]


@pytest.mark.parametrize(("enough", "is_partial"), [(0.0, True), (1.0, False)])
def test_who_learns_is_left_out_once_others_link_enough(enough: float, is_partial: bool) -> None:
    """A release that a quick attacker breaks is judged already."""
    found = attacks([WeightedMean(), Mean()])
    for _ in found.run(enough):
        pass
    assert found.is_partial is is_partial
    assert {label for _, label in labels(found)} == ({"mean"} if is_partial else {"mean", "weighted_mean"})


@pytest.mark.slow
def test_who_learns_starts_from_what_weaker_ones_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """On all scales so far, and in whichever order they are named."""
    known: list[tuple[str, str, list[str]]] = []

    def watched(family: Any, comparison: Any, *arguments: Any, **more: Any) -> Any:
        starts = [f"{start.family.name} on {start.comparison.scale}" for start in more["starts"]]
        known.append((str(comparison.scale), family.name, starts))
        return learn_family(family, comparison, *arguments, **more)

    monkeypatch.setattr(find_module, "learn_family", watched)
    found = attacks([Choquet(), WeightedMean()])
    for _ in found.run():
        pass
    turns = [(str(scale), name) for name in ("weighted_mean", "choquet") for scale in SCALES]
    before = [f"{name} on {scale}" for scale, name in turns]
    assert known == [(*turn, before[:place]) for place, turn in enumerate(turns)]


def limits_of(monkeypatch: pytest.MonkeyPatch, found: Attacks, enough: float) -> list[tuple[str, str, float | None]]:
    """Make attacks, and return who learned on which scale within how many seconds, in order."""
    learned: list[tuple[str, str, float | None]] = []

    def watched(family: Any, comparison: Any, plan: AttackPlan, *arguments: Any, **more: Any) -> Any:
        learned.append((family.name, str(comparison.scale), plan.learning.time_limit))
        return learn_family(family, comparison, plan, *arguments, **more)

    monkeypatch.setattr(find_module, "learn_family", watched)
    for _ in found.run(enough):
        pass
    return learned


def hurried(**more: Any) -> Attacks:
    """Return attacks whose learners run out of time at once; those who get more have a second."""
    asked = {"longer": Learning(time_limit=1.0), **more}
    made = attacks([OWA(), WeightedMean()], numeric_frames(noise=0.5), **asked)
    made.plan = AttackPlan(learning=Learning(time_limit=0.0))
    return made


def as_if_searched(found: Attacks) -> dict[tuple[str, Scale], float]:
    """Take learners for ones who had looked at everybody when time was up; return their rates."""
    for key, made in found._made.items():
        assert made.learned is not None
        found._made[key] = replace(made, learned=replace(made.learned, n_unseen=0))
    return {(made.result.label, Scale(made.result.scale)): made.result.rate() for made in found.made}


def test_who_may_yet_exceed_the_limit_gets_more_time() -> None:
    """Those who ran out of time near the limit, the nearest first; from farther away who saw not everybody."""
    found = hurried(longer=None)
    for _ in found.run(1.0):
        pass
    assert found._in_reach(0.1) == []
    found.longer = Learning(time_limit=1.0)
    least = min(made.result.rate() for made in found.made)
    assert len(found._in_reach(least / loop.FAR_OFF)) == 4
    assert len(found._in_reach(1.01 * least / loop.FAR_OFF)) < 4
    rates = as_if_searched(found)
    assert len(set(rates.values())) > 1
    for enough in (*(rate / loop.IN_REACH for rate in rates.values()), 0.99 * max(rates.values()), 1000.0):
        near = found._in_reach(enough)
        assert set(near) == {attempt for attempt, rate in rates.items() if rate >= loop.IN_REACH * enough}
        assert [rates[attempt] for attempt in near] == sorted((rates[attempt] for attempt in near), reverse=True)
    found._made = {key: _with_status(made, "optimal") for key, made in found._made.items()}
    assert found._in_reach(0.0) == []
    found._made = {key: _with_status(made, "sampled") for key, made in found._made.items()}
    assert len(found._in_reach(0.0)) == 4


def _with_status(made: Attack, status: str) -> Attack:
    return replace(made, result=replace(made.result, status=status))


def test_more_time_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    """Everybody learns once, and then those once more who had no time; nobody is left out for that."""
    found = hurried()
    learned = limits_of(monkeypatch, found, 1.0)  # nobody links more, and all a tenth of that
    assert [limit for *_, limit in learned] == [0.0] * 4 + [1.0] * 4
    assert sorted(learned[:4]) == sorted((*who, 0.0) for *who, _ in learned[4:])
    assert not found.is_partial
    broken = hurried()
    rate = max(result.rate() for result in found.results) - 1e-9
    limits_of(monkeypatch, broken, rate)
    assert max(result.rate() for result in broken.results) > rate


def test_who_broke_another_release_learns_first_and_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever broke the last release most likely breaks this one, too."""
    found = hurried(first=(("weighted_mean", Scale.RANKS),))
    learned = limits_of(monkeypatch, found, 2.0)
    assert learned[0] == ("weighted_mean", "ranks", 1.0)
    assert learned[1:4] == [("owa", "separate", 0.0), ("owa", "ranks", 0.0), ("weighted_mean", "separate", 0.0)]
    assert ("weighted_mean", "ranks") not in [(name, scale) for name, scale, _ in learned[4:]]


def test_what_was_learned_on_one_release_is_a_start_on_the_next() -> None:
    """With no time at all, an attacker links no less than what he learned on the other release links here."""
    before = attacks([WeightedMean()], numeric_frames(noise=0.5))
    for _ in before.run():
        pass
    files = pair_files(*numeric_frames(noise=0.6))
    comparisons = {scale: make_comparison(files, scale) for scale in SCALES}
    learned = before.learned()
    plan = AttackPlan(learning=Learning(time_limit=0.0))
    after = Attacks([WeightedMean()], comparisons, plan, files, before=learned)
    alone = Attacks([WeightedMean()], comparisons, plan, files)
    gains = []
    for made, without in zip(after.run(), alone.run(), strict=True):
        scale = Scale(made.result.scale)
        weights = dict(zip(comparisons[scale].names, learned["weighted_mean", scale].theta.tolist(), strict=True))
        given = make_attack(WeightedMean(weights), comparisons[scale], plan)
        assert made.result.links[Ties.EXPECTED] >= given.result.links[Ties.EXPECTED]
        gains.append(made.result.links[Ties.EXPECTED] - without.result.links[Ties.EXPECTED])
    assert max(gains) > 0.0


def test_who_starts_from_another_release_still_learns_weaker_families_first() -> None:
    """What was learned elsewhere is a start, not a family that was learned here."""
    files = pair_files(*numeric_frames(noise=0.6))
    comparison = make_comparison(files)
    theta = np.full(len(comparison.names), 1.0)
    family = WeightedMean().family()
    for links, is_known in ((math.inf, False), (3.0, True)):
        problem = make_problem(Choquet().family(), comparison)
        learner = _Learner(problem, Clock(0.0), 0, 1, None, [Start(None, comparison, links, family, theta)])
        assert (family.name in [known.name for known in learner.known]) == is_known


def test_what_is_found_sooner_stands_where_it_finds_more(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of two times that somebody learns, the better counts; of two bounds, both of which hold, the lower."""
    found = hurried()
    limits_of(monkeypatch, found, 1.0)
    before = found._made[SCALES[0], "weighted_mean"]
    for more, status, bound in ((-1.0, "time_limit", 40.0), (1.0, "time_limit", 50.0), (-1.0, "repaired", 1.0)):
        links = {rule: before.result.found() + more for rule in Ties}
        result = replace(before.result, links=links, one_to_one=None, bound=bound, status=status)
        monkeypatch.setattr(found, "_found", lambda *_: None)
        monkeypatch.setattr(loop, "_as_before", lambda *_: None)
        monkeypatch.setattr(found, "_count", lambda *_, result=result: replace(before, result=result))
        kept = replace(before, result=replace(before.result, bound=45.0))
        found._made[SCALES[0], "weighted_mean"] = kept
        again = found._attack_again("weighted_mean", SCALES[0]).result
        assert again.found() == before.result.found() + max(more, 0.0)
        assert again.bound == (45.0 if status == "repaired" else min(bound, 45.0))


def test_what_is_made_stands_when_the_loop_is_left() -> None:
    """Ctrl-C between two attacks costs none of those before."""
    found = attacks([Mean(), Kernel()])
    run = found.run()
    next(run)
    assert labels(found) == [("separate", "mean")]


def test_parameters_that_do_not_fit_are_an_error_unless_they_were_given_for_other_attributes() -> None:
    """In a scenario with fewer attributes the attacker is left out with a note."""
    wrong = OWA([0.5, 0.5])
    with pytest.raises(ParameterError, match="2 weights for 4 attributes"):
        attacks([Mean(), wrong]).check()
    found = attacks([Mean(), wrong], is_forgiving=True)
    found.check()
    assert any("parameters do not fit" in reason for reason in found.left_out)
    assert found.all_notes[0].startswith("left out: its parameters do not fit")


def test_an_attacker_without_use_for_the_files_is_left_out_with_a_note() -> None:
    """Labels alone are nothing for the kernel; where nobody is left, that is an error."""
    frames = [frame[["region", "job"]] for frame in mixed_frames()]
    found = attacks([Mean(), Kernel()], frames)
    assert {attack.result.label for attack in found.run()} == {"mean"}
    assert any("kernel needs numeric" in reason for reason in found.left_out)
    with pytest.raises(ParameterError, match=r"kernel needs numeric.*choose mean"):
        attacks([Kernel()], frames).check()


@pytest.mark.slow
@pytest.mark.parametrize("attacker", [WeightedMean(), BilinearFree()], ids=lambda attacker: attacker.name)
@pytest.mark.parametrize("ties", Ties)
def test_headline_and_rows_come_from_one_count(attacker: Attacker, ties: Ties, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was learned is not linked anew: the records that are linked weigh what the headline says."""

    def again(*_: Any, **__: Any) -> None:
        raise AssertionError("linked anew")

    monkeypatch.setattr(find_module, "nearest", again)
    comparison = make_comparison(pair_files(*numeric_frames(noise=0.5)))
    made = make_attack(attacker, comparison, AttackPlan(ties=ties, learning=Learning(time_limit=0.1)))
    rows = made.record
    worth = 1.0 / (rows.twins + 1.0) if ties is Ties.EXPECTED else np.ones(len(rows.is_linked))
    assert worth[rows.is_linked].sum() == pytest.approx(made.result.links[ties])
    assert made.learned is not None
    assert made.result.links[ties] == pytest.approx(made.learned.links)


def test_no_ranges_where_not_everybody_was_looked_at() -> None:
    """Without any time, no rows limit the parameters: ranges from 0 to 1 would say nothing, so none are told."""
    values = np.random.default_rng(0).normal(size=(30, 2))
    found = linkrisk.assess(
        values, values + 0.5, attackers=["weighted_mean"], scales=["original"], time_limit=0.0, explain=True
    )
    assert found.attacks[0].explanation is not None
    assert found.attacks[0].explanation.ranges == {}
    assert any("no ranges" in note for note in found.attacks[0].notes)


def test_a_margin_is_no_tie_tolerance_of_claims() -> None:
    """A wide margin asks more of links; who is equally near is not changed by it."""
    random = np.random.default_rng(0)
    values = random.normal(size=(30, 2))
    options: dict[str, Any] = {"attackers": ["weighted_mean"], "scales": ["original"], "one_to_one": False}
    found = linkrisk.assess(values, values + 0.1 * random.normal(size=(30, 2)), margin=0.5, **options)
    assert found.attacks[0].claims[0].claimed == 30


def frames_of(n_records: int) -> tuple[Any, Any]:
    """Return a file of so many records and its noisy version."""
    original = linkrisk.datasets.census_like(n_records, seed=5)[["AFNLWGT", "AGI", "FEDTAX"]]
    return original, linkrisk.protection.add_noise(original, 20.0, secret_seed=6).data


def test_attacks_counted_beside_others_are_those_made_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same links, one to one too, the same order, bounds and rows of records."""
    attackers: list[Attacker] = [Mean(), Kernel(), Informed(), WeightedMean()]
    told = []
    for few in (math.inf, 50):
        monkeypatch.setattr(loop, "FEW", few)
        found = attacks(attackers, frames_of(60))
        order = [(attack.result.scale, attack.result.label) for attack in found.run()]
        results = [replace(result, seconds=0.0) for result in found.results]
        told.append((order, results, [attack.record.found.tolist() for attack in found.made]))
    assert told[0] == told[1]


@pytest.mark.parametrize("few", [math.inf, 50])
def test_ctrl_c_while_somebody_learns_keeps_him_and_those_before(few: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether attacks are counted beside others or not; who was learned before is handed on, too."""
    monkeypatch.setattr(loop, "FEW", few)
    found = attacks([Mean(), WeightedMean(), OWA()], frames_of(60))

    def press(*arguments: Any, **more: Any) -> Any:
        if sum(start.theta is not None for start in found.starts) == 2:
            with interrupt.deferred():
                signal.raise_signal(signal.SIGINT)
        return learn_family(*arguments, **more)

    monkeypatch.setattr(find_module, "learn_family", press)
    made: list[str] = []
    with interrupt.listening(), pytest.raises(KeyboardInterrupt):
        made.extend(attack.result.label for attack in found.run())
    assert made == ["mean", "mean", "weighted_mean", "weighted_mean", "owa"]
    assert len(found.results) == 5


def test_who_learns_the_same_once_more_is_not_counted_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same distance links the same people; bound and status are the new ones."""
    found = hurried()
    limits_of(monkeypatch, found, 1.0)
    monkeypatch.setattr(found, "_count", lambda *_: pytest.fail("it was counted already"))
    place = SCALES[0], "weighted_mean"
    before = found._made[place]
    assert before.learned is not None
    assert before.result.bound is not None
    learned = before.learned
    again = SimpleNamespace(
        family=learned.family,
        theta=learned.theta,
        links=learned.links,
        problem=SimpleNamespace(n_unseen=0),
        bound=before.result.bound - 1.0,
        status="time_limit",
        seconds=1.0,
    )
    monkeypatch.setattr(found, "_found", lambda *_: SimpleNamespace(learned=again, course=()))
    result = found._attack_again("weighted_mean", SCALES[0]).result
    assert (result.found(), result.bound) == (before.result.found(), before.result.bound - 1.0)
    other = SimpleNamespace(**{**vars(again), "theta": learned.theta * 2.0})
    monkeypatch.setattr(found, "_found", lambda *_: SimpleNamespace(learned=other, course=()))
    monkeypatch.setattr(found, "_count", lambda *_: before)
    assert found._attack_again("weighted_mean", SCALES[0]).learned is before.learned


def test_who_starts_far_below_the_limit_does_not_learn(monkeypatch: pytest.MonkeyPatch) -> None:
    """On many records only, and where what he would start from has attacked; he is named, and nothing is proven."""
    monkeypatch.setattr(loop, "FAR_OFF", 1.5)  # no start links so many
    for many, is_learned in ((10**6, True), (10, False)):
        monkeypatch.setattr(loop, "MANY", many)
        found = attacks([Mean(), WeightedMean()])
        made = [attack.result.label for attack in found.run(0.999)]
        assert made.count("weighted_mean") == (len(SCALES) if is_learned else 0)
        assert list(found.unlearned) == ([] if is_learned else [("weighted_mean", scale) for scale in SCALES])


@pytest.mark.parametrize("is_earlier", [False, True])
def test_who_could_start_from_what_nobody_attacked_with_learns(
    is_earlier: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One attribute is hardly protected: mean finds few, what is fitted at once, or was learned before, finds most."""
    monkeypatch.setattr(loop, "MANY", 10)
    random = np.random.default_rng(3)
    people = random.normal(size=(60, 6))
    released = people + random.normal(0.0, 3.0, people.shape)
    released[:, 0] = people[:, 0] + random.normal(0.0, 1e-4, 60)
    found = attacks([Mean(), WeightedMean()], (people, released))
    if is_earlier:
        monkeypatch.setattr(loop, "fitted_starts", lambda *_, **__: iter(()))
        family = WeightedMean().family()
        assert family is not None
        theta = np.array([0.99, *[0.002] * 5])
        found.before = {("weighted_mean", scale): LearnedParameters(family, theta, 1.0) for scale in SCALES}
    rates = {attack.result.label: attack.result.rate() for attack in found.run(0.9)}
    assert rates["mean"] < 0.2
    assert rates["weighted_mean"] > 0.8
    assert not found.unlearned


def test_who_is_contained_in_another_leaves_the_time_to_him() -> None:
    """On the same scale; each of two of the same family has his own."""
    found = attacks([WeightedMean(), WeightedMeanMetric(), OWA()], numeric_frames(noise=0.5), longer=Learning())
    found.plan = AttackPlan(learning=Learning(time_limit=0.0))
    for key, made in found._in_order(Pipeline(found.reporter, 1), 0.999):
        found._keep(key, made)
    assert {label for label, _ in found._in_reach(0.01)} == {"weighted_mean", "owa"}


@pytest.mark.parametrize("few", [math.inf, 50])
def test_who_asks_may_be_interrupted_and_loses_nothing_that_was_begun(
    few: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was learned while he was at the attack before is counted and stands, though it is not handed to him."""
    monkeypatch.setattr(loop, "FEW", few)
    found = attacks([Mean(), WeightedMean()], frames_of(60))

    def interrupted() -> None:
        for attack in found.run():
            if attack.learned is not None:
                raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    begun = [(str(scale), label) for scale, label in found._begun]
    assert sorted(labels(found)) == sorted(begun)
    assert len(begun) >= 3
