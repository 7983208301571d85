"""The checker of controllers of plants: NumPy, from the transitions alone, linear time.

It knows no game graph. A *choice* of the controller in a state enables one controllable action of
the state, or nothing if the state has an uncontrollable action or the plant may stop. What may
happen after a choice: every outcome of the enabled action and of all uncontrollable actions of the
state; if there is none of these, the plant stays in its state. To enable several actions adds up
what may happen, so choices of one action suffice.

Let W be the states with a rank. In all cases no state of W is to be avoided. This is checked:

- **reach.** The rank is 0 exactly at goals that are not to be avoided. Elsewhere in W it is 1 + the
  least, over all choices, of the greatest rank that may happen after it; the enabled actions are
  exactly those for which this least number is attained. Outside W, in a state that is not to be
  avoided, something outside W may happen after every choice. So the rank falls with every action in
  W, and the environment stays outside W for ever, or until nobody can act.
- **safety.** The danger is 0 exactly in the states to avoid. A state of danger d > 0 has, after
  every choice, something of a danger below d that may happen; so the environment gets from there
  into a state to avoid, or into a deadlock. Every state has either a danger or a rank. In W there
  is a choice after which only states of W may happen, and the enabled actions are exactly those
  after which only these may.
- **nonblocking.** As for safety inside W, where the plant may stop, and moreover the rank is 0
  exactly at the marked states of W and else 1 + the least rank of what may happen when the allowed
  actions are enabled. A state of danger d > 0 has an uncontrollable action that may lead to a
  danger below d; or it is not marked, and every action of the state has an outcome of a danger
  below d, or else only outcomes of danger d. By induction on d no controller is right from there:
  she would have to stay in states of danger d, and those among them that an uncontrollable action
  leaves downwards are lost, and the others are not marked.
"""

from typing import TYPE_CHECKING

import numpy as np

from zermelo.errors import CertificateError
from zermelo.labels import BoolArray, Int64Array

if TYPE_CHECKING:
    from zermelo.solutions.control import PlantController

FAR = np.int64(2**40)
"""Stands for "no rank": greater than all ranks."""


class _After:
    """For a number at each state: the greatest and the least that may happen after choices."""

    def __init__(self, controller: "PlantController") -> None:
        plant = controller.plant
        self.pairs = plant.pairs
        self.target, self.n = plant.target, len(plant.states)
        self.free = ~self.pairs.controllable
        self.may_wait = np.zeros(self.n, bool)
        self.may_wait[self.pairs.state[self.free]] = True
        self.stays = ~self.may_wait & controller.may_stop
        self.may_wait |= self.stays

    def of_pairs(self, number: Int64Array, *, greatest: bool) -> Int64Array:
        """The greatest or the least number among the outcomes of each pair alone."""
        fold = np.maximum if greatest else np.minimum
        if not self.pairs.state.size:
            return np.zeros(0, np.int64)
        return fold.reduceat(number[self.target], self.pairs.first[:-1])

    def of_choices(
        self, number: Int64Array, *, greatest: bool
    ) -> tuple[Int64Array, Int64Array, BoolArray]:
        """The same after enabling each pair, after waiting, and where waiting is a choice."""
        fold = np.maximum if greatest else np.minimum
        alone = self.of_pairs(number, greatest=greatest)
        waiting = np.full(self.n, -FAR if greatest else FAR, np.int64)
        fold.at(waiting, self.pairs.state[self.free], alone[self.free])
        enabled = fold(alone, waiting[self.pairs.state])
        waiting[self.stays] = number[self.stays]
        return enabled, waiting, self.may_wait


def check_plant_controller(controller: "PlantController") -> None:
    """Raise :class:`~zermelo.errors.CertificateError` unless the controller is right.

    >>> import dataclasses, numpy as np, zermelo as zm
    >>> steps = [("a", "go", "b"), ("a", "stay", "a"), ("b", "back", "a")]
    >>> plant = zm.Plant.from_transitions(steps)
    >>> c = zm.control(plant, reach=["b"])
    >>> check_plant_controller(dataclasses.replace(c, allowed=np.array([True, True, False])))
    Traceback (most recent call last):
    zermelo.errors.CertificateError: action 'stay' in 'a': expected it to be disabled, the ...
    """
    rank = controller.rank.astype(np.int64)
    won = rank >= 0
    _refuse(controller, won & controller.avoid, "to avoid it", "controls it")
    if controller.aim == "reach":
        _check_reach(controller, np.where(won, rank, FAR))
        return
    danger = controller.danger.astype(np.int64)
    _refuse(controller, won == (danger >= 0), "a rank or a danger", "has both or none")
    _refuse(controller, controller.avoid != (danger == 0), "danger 0 exactly there", "differs")
    after = _After(controller)
    _check_inside(controller, after, won)
    number = np.where(won, FAR, danger)
    if controller.aim == "safety":
        _refuse(controller, controller.goal, "no goal", "has one")
        _refuse(controller, won & (rank != 0), "rank 0", "has another")
        enabled, waiting, may_wait = after.of_choices(number, greatest=False)
        bad = np.zeros(after.n, bool)  # some choice leads to nothing of less danger
        own = after.pairs.controllable
        bad[after.pairs.state[own & (enabled >= number[after.pairs.state])]] = True
        bad |= may_wait & (waiting >= number)
        _refuse(controller, bad & (danger > 0), "less danger after every choice", "has a safe one")
        return
    if not controller.may_stop:
        raise CertificateError("may_stop: expected True for nonblocking, got False")
    _check_ways(controller, after, rank, won)
    _check_blocked(controller, after, number)


def _check_reach(controller: "PlantController", rank: Int64Array) -> None:
    after = _After(controller)
    won, goal = rank < FAR, controller.goal & ~controller.avoid
    _refuse(controller, goal != (rank == 0), "rank 0 exactly in the goal", "differs")
    _refuse(controller, controller.danger != -1, "no danger", "has one")
    enabled, waiting, may_wait = after.of_choices(rank, greatest=True)
    best = np.where(may_wait, waiting, FAR)
    own, state = after.pairs.controllable, after.pairs.state
    np.minimum.at(best, state[own], enabled[own])
    free = ~goal & ~controller.avoid
    _refuse(controller, free & won & (rank != best + 1), "1 + the best rank", "has another")
    _refuse(controller, free & ~won & (best < FAR), "to be won", "calls it lost")
    wanted = own & (won & free)[state] & (enabled == best[state])
    _check_allowed(controller, wanted)


def _check_inside(controller: "PlantController", after: _After, won: BoolArray) -> None:
    """The region cannot be left, and exactly the actions that stay inside are enabled."""
    outside = (~won).astype(np.int64)
    enabled, waiting, may_wait = after.of_choices(outside, greatest=True)
    own, state = after.pairs.controllable, after.pairs.state
    stays = own & (enabled == 0)
    inside = may_wait & (waiting == 0)
    inside[state[stays]] = True
    _refuse(controller, won & ~inside, "a choice that stays inside", "has none")
    _check_allowed(controller, stays & won[state])


def _check_ways(
    controller: "PlantController", after: _After, rank: Int64Array, won: BoolArray
) -> None:
    """Ranks are the lengths of the shortest ways to marked states, by what is enabled."""
    _refuse(controller, won & (controller.goal != (rank == 0)), "rank 0 where marked", "differs")
    enabled = controller.allowed | after.free
    least = np.full(after.n, FAR, np.int64)
    nearest = after.of_pairs(np.where(won, rank, FAR), greatest=False)
    np.minimum.at(least, after.pairs.state[enabled], nearest[enabled])
    wrong = won & ~controller.goal & (rank != least + 1)
    _refuse(controller, wrong, "1 + the rank of the nearest outcome", "has another")


def _check_blocked(controller: "PlantController", after: _After, number: Int64Array) -> None:
    """States outside the region are lost for every controller; ``number`` is FAR inside."""
    least = after.of_pairs(number, greatest=False)
    most = after.of_pairs(number, greatest=True)
    here = number[after.pairs.state]
    forced = np.zeros(after.n, bool)
    forced[after.pairs.state[after.free & (least < here)]] = True
    escapes = np.zeros(after.n, bool)
    escapes[after.pairs.state[(least >= here) & (most > here)]] = True
    lost = (number > 0) & (number < FAR) & ~forced
    _refuse(controller, lost & controller.goal, "to be won, for it is marked", "calls it lost")
    _refuse(controller, lost & escapes, "no way to greater dangers", "has one")


def _check_allowed(controller: "PlantController", wanted: BoolArray) -> None:
    bad = np.flatnonzero(wanted != controller.allowed)
    if bad.size:
        k = int(bad[0])
        plant, pairs = controller.plant, controller.plant.pairs
        words = ("enabled", "disables") if wanted[k] else ("disabled", "enables")
        place = f"action {plant.actions[pairs.action[k]]!r} in {plant.states[pairs.state[k]]!r}"
        raise CertificateError(
            f"{place}: expected it to be {words[0]}, the controller {words[1]} it"
        )


def _refuse(controller: "PlantController", bad: BoolArray, expected: str, claim: str) -> None:
    if bad.any():
        name = controller.plant.states[int(np.argmax(bad))]
        raise CertificateError(f"state {name!r}: expected {expected}, the controller {claim}")
