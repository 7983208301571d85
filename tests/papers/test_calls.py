"""What each row of ``docs/papers.md`` names is called, and gives what the row says.

A row has an expression here that is true. It contains every name of the row's Python cell: ``zm.x``
as it stands, and ``zm.Class.x``, which belongs to a value, as ``.x``.
"""

import io
import re
from fractions import Fraction  # noqa: F401  for the expressions
from pathlib import Path

import pytest

import zermelo as zm
from tests.papers import pages
from tests.papers.test_tables import NAME, ROWS
from zermelo import generators, transform
from zermelo.partizan.numbers import number_value  # noqa: F401

EXAMPLES = Path(__file__).parents[2] / "examples"
TERMS = [(row[0], row[1], row[2]) for _, head, row in ROWS if "Python" in head]


def load(name):
    return zm.read(EXAMPLES / name)


TWO = zm.Graph.from_edges([("a", "b"), ("b", "a"), ("a", "t")])
CYCLE = zm.Graph.from_edges([("a", "b"), ("b", "a")])
CHAIN = zm.Graph.from_edges([(0, 1), (1, 2), (2, 3)])
ROOT = zm.Graph.from_edges([("v", "t")])
FIVE = load("games-on-graphs/section-4-1-five-positions.txt").graph
SIX = load("loewe2004/proposition-2-1-cycle-of-six.txt").graph
BUCHI = load("games-on-graphs/section-9-2-buchi.json").graph
MEAN = load("games-on-graphs/section-9-2-mean-payoff.json")
LOOPY = load("games-on-graphs/section-10-2-loopy-values.txt").graph
MULLER = load("games-on-graphs/section-9-1-muller.json")
LIFT = load("lift.pg")
ARBITER = load("arbiter.ehoa")
FIGURE = load("edmonds-gurvich2010/figure-2-value-2.txt").graph
ENTRIES = load("errata/two-entries.txt").graph
LEVELS = load("edmonds-gurvich2010/section-2-1-levels.txt").graph
PLANT = zm.Plant.from_transitions([("a", "go", "b"), ("b", "slip", "a")], ["slip"], "a")


STAR = {0: ((), ()), "star": ([0], [0])}


def circuit(synthesis):
    file = io.BytesIO()
    synthesis.write(file, "aag")
    return file.getvalue()


def asymmetric(solver="auto"):
    return zm.solve(TWO, zm.Asymmetric(), solver=solver)


LOEWE = [
    ("graph G", "zm.Graph.from_edges([(0, 0)]).m == 1"),
    ("terminal node", "TWO.terminals.tolist() == [2]"),
    ("pointed graph", "zm.Game(TWO, start='a').start == 'a'"),
    ("equivalence relation", "zm.transform.quotient(TWO, [0, 0, 1]).n == 2"),
    ("walk W", "next(zm.transform.walks(TWO, 'a')) == ('a',)"
     " and isinstance(zm.solve(TWO).line('b'), zm.Line)"),
    ("connected component", "zm.transform.reachable(TWO, 't').n == 1"
     " and zm.transform.reachable_mask(TWO, ['t']).sum() == 1"),
    ("bounded epimorphism", "zm.transform.check_bounded_epimorphism(ROOT, 'v', TWO, 'a', [0, 2])"
     ".condition == 2 and zm.transform.is_bounded_epimorphism(TWO, 'a', TWO, 'a', [0, 1, 2])"),
    ("≡_Z", "zm.transform.quotient(SIX, [v % 3 for v in range(6)]) .digest"
     " == generators.cycle(3).graph.digest and not zm.bisimulation(SIX).any()"),
    ("unravelled tree", "isinstance(zm.transform.unravel(TWO, 'a', 2), zm.transform.UnravelledTree)"
     " and zm.transform.unravel(TWO, 'a', 2).graph.cut.sum() == 1"),
    ("parity function", "zm.transform.walk_to_situation(('a', 'b')) == ('b', 1)"),
    ("alternating graph", "zm.transform.alternating_graph(TWO, 't').names == (('t', 0),)"),
    ("Z_T, Z_A", "zm.transform.walk_to_position(('a', 'b')) == 'b'"
     " == zm.transform.situation_to_position(zm.transform.walk_to_situation(('a', 'b')))"),
    ("T_G^s after a walk", "zm.transform.shift_walk(('a', 'b', 'a'), ('a', 'b')) == ('b', 'a')"),
    ("symmetric combinatorial game", "zm.solve(TWO, zm.NormalPlay())['a'].label == 1"),
    ("inverted game", "zm.transform.pointed_value((TWO, 'a'), starter=1) == -1"
     " and zm.transform.pointed_value((TWO, 't'), zm.Asymmetric(), starter=1) == 1"),
    ("asymmetric combinatorial", "zm.solve(TWO, zm.Asymmetric())['t'].label == 0"),
    ("strategy", "zm.solve(TWO).move.tolist() == [2, 0, zm.NO_MOVE]"),
    ("winning strategy", "zm.check_strategy(TWO, {'a': 't'}, 0, 'a').verdict == 'winning'"),
    ("play, run", "zm.solve(TWO).line('b') == ['b', 'a', 't']"
     " and zm.check_strategy(TWO, {'a': 'b'}, 0, 'a').play == ['a', 'b', 'a']"),
    ("value val(G)", "[zm.transform.pointed_value((g, 'a')) for g in (TWO, CYCLE)]"
     " == [zm.Label.WIN, zm.Label.DRAW]"),
    ("the lattice", "-zm.Label.WIN == zm.Label.LOSE < zm.Label.DRAW < zm.Label.WIN"),
    ("equivalent, anti", "zm.equivalent((TWO, 'b'), (TWO, 't'))"
     " and zm.anti_equivalent((TWO, 'a'), (TWO, 'b'))"),
    ("G-H-equivalence", "zm.transform.is_equivalence(TWO, TWO, lambda v: v)"),
    ("Proposition 3.1", "zm.anti_equivalent((TWO, 'a'), (TWO, 'a'), other_starter=1)"),
    ("Proposition 3.2", "zm.transform.is_equivalence(SIX, generators.cycle(3).graph,"
     " [v % 3 for v in range(6)]) and zm.solve(SIX, quotient=True).counts()['draw'] == 6"),
    ("Corollary 3.3", "zm.solve(zm.transform.unravel(CHAIN, 0, 3).graph)[(0,)].label"
     " == zm.solve(CHAIN)[0].label"),
    ("Gale–Stewart theorem", "isinstance(zm.solve(TWO).verify(), zm.Solution)"),
    ("the infinite games", "[zm.solve(CYCLE, x).label[0, 0].item()"
     " for x in (zm.G0(), zm.G1(), zm.H1())] == [-1, 1, -1]"),
    ("open and closed", "zm.solve(CYCLE, zm.TerminalPayoff({}, infinite=1))['a'].value == 1"),
    ("Proposition 3.4", "[zm.solve(TWO, x).label[0, 0].item()"
     " for x in (zm.G0(), zm.G1(), zm.H1())] == [1, 1, 1]"),
    ("L-labelling", "zm.check_labelling(TWO, [1, -1, -1]).verdict == 'sound'"),
    ("Theorem 3.6", "zm.trace(zm.transform.unravel(CHAIN, 0, 3).graph)"),
    ("quotient labelling", "zm.solve(SIX, quotient=True).label.any() == False"),
    ("bilabelling", "zm.solve(TWO, zm.Asymmetric()).label.tolist() == [[1, 1], [-1, -1], [0, -1]]"),
    ("A-sound", "zm.check_labelling(TWO, asymmetric().label, zm.Asymmetric()).ok"),
    ("Proposition 3.8", "(1, -1) not in map(tuple, asymmetric().label.tolist())"),
    ("G_s*", "zm.transform.with_root(TWO, 'a', 'x').names[-1] == 'x'"),
    ("Proposition 3.10", "zm.transform.alternating_graph(zm.transform.with_root(ROOT, 'v'), '*')"
     ".names == (('v', 1), ('t', 0), ('*', 0))"),
    ("the order ≤*", "len(zm.trace(TWO, zm.Asymmetric(), solver='nmfl')) == 5"),
    ("Fraenkel–Lévy", "zm.solve(TWO, solver='fraenkel-levy').label.tolist() == [1, -1, -1]"),
    ("NMFL", "zm.solve(TWO, zm.Asymmetric(), solver='nmfl')['t'].label == 0"),
    ("ℓᵗ", "zm.trace(TWO, zm.Asymmetric(), solver='nmfl')[1].labels.any()"),
    ("Proposition 4.1", "zm.trace(TWO, zm.Asymmetric(), solver='nmfl')[0].labels.size == 6"),
    ("Proposition 4.2", "zm.solve(TWO, zm.Asymmetric(), solver='nmfl').stats['label_calls']"
     " <= 4 * TWO.m"),
    ("Theorem 4.3", "zm.generators.star(5).graph.terminals.size == 5"),
    ("the remark on CAP", "zm.solve(TWO, zm.Asymmetric(), solver='nmfl-cap')['t'].label == 0"),
    ("Theorem 4.4", "{'ind', 'sigma'} <= set(asymmetric('nmfl').stats)"),
]  # fmt: skip

GAMES_ON_GRAPHS = [
    ("successor set", "(FIVE.successors(0).tolist(), FIVE.out_degree[0], FIVE.terminals.tolist())"
     " == ([1, 2], 2, [3])"),
    ("reverse adjacency", "FIVE.predecessors(1).tolist() == FIVE.reverse[1][:2].tolist()"),
    ("play (Definition", "isinstance(zm.solve(FIVE).line(0), zm.Line)"),
    ("normal play, misère", "[zm.solve(CHAIN, x)[3].label.value for x in (zm.NormalPlay(),"
     " zm.Misere(), zm.TerminalPayoff({3: 0}, view='mover'))] == [-1, 1, 0]"),
    ("label L(u)", "zm.solve(FIVE).label.tolist() == [0, 1, 0, -1, 0]"
     " and zm.solve(FIVE).counts()['draw'] == 3"),
    ("impartial, partizan", "zm.grundy(zm.Graph.from_edges([(0, 1)]))[0] == 1"
     " and zm.PartizanGraph.from_edges([(0, 1)]).value(0) == 1"
     " and str(zm.game_value(zm.game('domineering:2x2'))) == '+-1'"),
    ("rules R-LOSE", "zm.check_labelling(FIVE, [0, 1, 0, -1, 0]).ok"),
    ("consistent but", "zm.check_labelling(CYCLE, [1, -1]).support == ('a', 'b')"),
    ("partial labelling", "zm.labelling_operator(FIVE, [0] * 5).tolist() == [0, 0, 0, -1, 0]"),
    ("least fixpoint", "zm.labelling_operator(FIVE, zm.solve(FIVE).label).tolist()"
     " == zm.solve(FIVE).label.tolist()"),
    ("retrograde", "zm.solve(FIVE, solver='retrograde')[1].label == 1"),
    ("rounds ℓ_t", "zm.trace(FIVE)"),
    ("μX, νY", "zm.evaluate('mu X. <>[]X', FIVE).tolist() == [False, True, False, False, False]"),
    ("val(u), rank", "zm.transform.pointed_value((FIVE, 1)) == 1"
     " and zm.solve(FIVE).verify().distance.tolist() == [-1, 1, -1, 0, -1]"),
    ("undecided successor", "zm.solve(FIVE).move[0] == 2"),
    ("memoised", "zm.solve(CHAIN, solver='depth-first')[0].label == 1"),
    ("the in-progress guard", "zm.solve(TWO).label.tolist() == [1, -1, -1]"),
    ("acyclic graph, DAG", "zm.classify(CHAIN).kind == 'acyclic' and len(zm.kernel(CHAIN)) == 2"),
    ("strong components", "zm.solve(FIVE, solver='components')[1].label == 1"
     " and len(zm.classify(FIVE).components) == 4"),
    ("O(V + E)", "zm.solve(FIVE)[1].label == 1"),
    ("round-based", "zm.solve(FIVE, solver='rescan', worklist=True)[1].label == 1"),
    ("tables on disk", "isinstance(zm.build(zm.game('nim:1,2'), FOLDER / 'nim.zt'), zm.Table)"),
    ("dist(u)", "zm.solve(CHAIN).distance.tolist() == [3, 2, 1, 0]"),
    ("parity of the", "zm.solve(ROOT).distance.tolist() == [1, 0]"),
    ("strategy(u)", "zm.solve(TWO).move[0] == 2 and zm.solve(TWO)['a'].best_moves == ('t',)"),
    ("dist ≤ n", "zm.solve(CHAIN).counts()['longest_win'] == CHAIN.n - 1"),
    ("attractor Attr", "zm.attractor(BUCHI, ['c'], 0).rank.tolist() == [2, 1, 0]"),
    ("W = Attr", "zm.solve(*play(zm.transform.normal_play_to_reach(FIVE, zm.NormalPlay()).win))"
     ".winner[::2].tolist() == [1, 0, 1, 1, 1]"),
    ("reachability game", "zm.solve(BUCHI, zm.Reach(['c'])).winner.tolist() == [0, 0, 0]"
     " and zm.solve(BUCHI, zm.Safety(['a'])).winner.tolist() == [0, 1, 1]"),
    ("winning region", "zm.solve(BUCHI, zm.Safety(['a', 'b'], player=1)).winner.tolist()"
     " == (~zm.attractor(BUCHI, ['c'], 0).region).astype(int).tolist()"),
    ("controller, env", "isinstance(PLANT, zm.Plant)"
     " and zm.control(PLANT, reach=['b'])"
     " and zm.permissive_controller(BUCHI, ['a']).region.tolist() == [True, False, False]"),
    ("reactive synthesis", "zm.check_circuit(ARBITER, circuit(zm.synthesize(ARBITER))) > 0"),
    ("reach-avoid", "zm.solve(BUCHI, zm.ReachAvoid(['c'], ['b'])).winner.tolist() == [1, 1, 0]"),
    ("parity game", "zm.solve(BUCHI, zm.Parity([1, 1, 2])).winner.tolist() == [0, 0, 0]"),
    ("determinacy", "zm.solve(LIFT).verify().move.size == 8"),
    ("Büchi, co", "[zm.solve(BUCHI, x).winner[0].item() for x in (zm.Buchi(['c']),"
     " zm.CoBuchi(['b', 'c']))] == [0, 0]"),
    ("mean payoff, energy", "zm.solve(MEAN.graph, zm.MeanPayoff([3, -2, 1])).value[0]"
     " == Fraction(1, 2) and zm.solve(MEAN.graph, zm.Energy([3, -2, 1])).credit.tolist()"
     " == [0, 2]"),
    ("Muller", "zm.solve(BUCHI, zm.Muller([0, 1, 2], 'Inf(2)')).winner.tolist() == [0, 0, 0]"),
    ("reachability to", "zm.transform.reach_to_safety(BUCHI, zm.Reach(['c'])).objective.keyword"
     " == 'safety' and zm.transform.safety_to_reach(BUCHI, zm.Safety(['a'])).objective.keyword"
     " == 'reach'"),
    ("WIN/LOSE/DRAW", "zm.transform.win_lose_draw_to_parity(FIVE, zm.NormalPlay()).win.objective"
     ".keyword == 'parity'"),
    ("Büchi to", "zm.transform.to_parity(BUCHI, zm.Buchi(['c'])).objective.priority.tolist()"
     " == [1, 1, 2]"),
    ("mean-payoff threshold", "zm.transform.mean_payoff_to_parity(*MEAN).objective.keyword"
     " == 'parity' and zm.transform.parity_to_mean_payoff(*LIFT).objective.keyword"
     " == 'mean-payoff'"),
    ("Zielonka's", "zm.solve(LIFT, solver='zielonka').winner[0] == 0"),
    ("the recursion", "zm.trace(LIFT) and zm.explain(LIFT, 0).winner == 0"),
    ("small progress", "zm.solve(LIFT, solver='progress-measures').winner[0] == 0"),
    ("quasi-polynomial", "zm.solve(LIFT, solver='quasi-polynomial').winner[0] == 0"),
    ("Grundy value", "zm.grundy(CHAIN)[0] == 1"),
    ("Sprague–Grundy", "zm.Sum([1, 2]).value == zm.nim_sum([1, 2]) == 3"),
    ("subtraction game", "zm.heap('0.33').nim_sequence(3).tolist() == [0, 1, 2, 0]"
     " and zm.solve(zm.game('subtraction:1,2/9'))[(9,)].label == -1"),
    ("loopy games", "zm.grundy(LOOPY)['a'] == zm.Infinite([0])"
     " and isinstance(zm.value('on'), zm.LoopyValue)"),
    ("two axes", "zm.classify(LOOPY).kind == 'symacyclic'"),
    ("Zermelo's backward", "'v' not in list(zm.kernel(ROOT).positions)"),
    ("latest appearance", "zm.solve(MULLER, solver='latest-appearance-records').winner[0] == 0"
     " and zm.transform.muller_to_parity(*MULLER).graph.n"
     " <= zm.transform.muller_to_parity(*MULLER, 'lar').graph.n"),
    ("the hierarchy", "zm.solve(MULLER).winner[0] == 0"),
]  # fmt: skip

SLEATOR = [
    ("game G = {", "(zm.value('{0|1}').left, zm.value('{0|1}').right)"
     " == ((zm.value(0),), (zm.value(1),))"
     " and zm.PartizanGraph.from_edges([(0, 1)]).value(0) == 1"),
    ("the player who is", "zm.value('*').outcome is zm.Outcome.N"),
    ("a game of n free", "zm.value(3) == zm.value('{2|}') and zm.value(3).is_integer"),
    ("sum G + H", "zm.value('1/2 + 1/2 - 1') == zm.value('1/2') + zm.value('1/2') - 1 == 0"),
    ("G + H = {", "zm.literal_sum(zm.literal('1/2'), zm.literal('1/2'))"
     " and zm.trace(zm.literal('{0,*|1}'))"),
    ("definition of N(G)", "zm.is_number('1/2').number == zm.value('1/2').number"
     " == Fraction(1, 2)"),
    ("games of value 0", "zm.value('0').outcome.name == 'P'"),
    ("what happens if", "zm.explain(zm.value('1/2'))"),
    ("max G^L", "zm.simplest_number(0, 1) == Fraction(1, 2)"),
    ("simplest number", "zm.simplest_number(3, 5) == 4"),
    ("dyadic", "zm.Value.from_number(Fraction(3, 4)) == zm.value('3/4')"),
    ("a game without", "raises(zm.NotANumber, lambda: number_value(STAR, 'star'))"
     " and zm.is_number('*').number is None"),
    ("theorem: the", "zm.value('1/2 + 1/4') == Fraction(3, 4)"),
    ("nimber", "zm.nim_sum([1, 2]) == zm.value('*1 + *2').nimber == 3"),
    ("a winning move", "zm.best_moves(['1/2', '*'], 'left')"
     " and zm.sum_outcome(['1/2', '*']) is zm.Outcome.L"),
    ("Hackenbush", "zm.game_value(zm.game('hackenbush:lr')) == Fraction(1, 2)"),
]  # fmt: skip

EDMONDS_GURVICH = [
    ("digraph D", "zm.Game(zm.Graph.from_edges([('v0', 'x')]), start='v0').start == 'v0'"),
    ("bipartite", "zm.classify(FIGURE).kind == 'symmetric'"),
    ("game of no return", "zm.solve(FIGURE, zm.NoReturn())['v0'].label == 1"),
    ("game of return", "zm.solve(FIGURE, zm.Return())['v0'].label == -1"),
    ("game of no rep", "zm.solve(ROOT, zm.NoRepetition())['v'].label == 1"),
    ("game of repetition", "zm.solve(ROOT, zm.Repetition())['v'].label == -1"),
    ("lasso", "zm.solve(FIGURE, zm.Return()).line('v0') == ['v0', 'a', 'v0']"),
    ("debut,", "zm.debut_tree(FIGURE, 'v0').graph.n == 4"),
    ("strategy, a move", "zm.check_strategy(zm.Game(ENTRIES, zm.NoReturn(), 's'), zm.solve(ENTRIES,"
     " zm.NoReturn()).strategy('s'), 1, 's', history=True).verdict == 'winning'"),
    ("positional strategy", "zm.positional_strategy(FIGURE, zm.NoReturn(), 'v0').moves"
     " and not zm.positional_strategy(ENTRIES, zm.NoReturn(), 's').moves"
     " and not zm.check_strategy(zm.Game(ENTRIES, zm.NoReturn(), 's'), {'m': 'l'}, 1, 's').ok"),
    ("problems Q1", "zm.solve(zm.transform.with_root(FIGURE, 'v0', 'v00'), zm.NoReturn())['v00']"
     ".label == -1"),
    ("Theorem 1", "zm.solve(zm.generators.sat_gadget('p cnf 1 1\\n1 0\\n'), zm.NoReturn(),"
     " start='u1', nodes=1000)['u1'].label == 1"),
    ("combinatorial game", "zm.solve(LEVELS, zm.NoReturn(), solver='acyclic')['a'].label == 1"),
    ("D′", "zm.transform.loops_at_terminals(ROOT).m == 2"),
    ("symmetric digraph", "zm.classify(FIGURE).kind == 'symmetric'"),
    ("Theorem 2", "len(zm.maximum_matching(FIGURE).edges) == 2"
     " and len(zm.gallai_edmonds(FIGURE).D) == 0"),
    ("induced subgraph", "len(zm.maximum_matching(zm.transform.subgraph(FIGURE, ['a', 'b', 'c']))"
     ".edges) == 1"),
    ("winning moves are", "zm.solve(FIGURE, zm.NoReturn())['v0'].best_moves"),
    ("the matching as", "isinstance(zm.maximum_matching(FIGURE).verify(), zm.Matching)"),
    ("why a position", "zm.trace(FIGURE, zm.NoReturn(), start='v0')"
     " and zm.explain(zm.Game(FIGURE, zm.NoReturn(), 'v0'), 'v0')"),
    ("symmetric game of return", "zm.solve(FIGURE, zm.Return())['a'].label == -1"),
    ("symacyclic digraph", "isinstance(zm.classify(ENTRIES), zm.Classification)"),
    ("acyclic digraph Γ", "len(zm.classify(ENTRIES).components) == 4"),
    ("Theorem 3", "zm.solve(ENTRIES, zm.NoReturn(), solver='symacyclic')['s'].label == -1"),
    ("line digraph", "zm.line_digraph(ROOT, 'v').names == (('v', 't'), ('*', 'v'))"),
    ("Theorem 4", "zm.solve(zm.generators.sat_gadget('p cnf 1 1\\n1 0\\n'), zm.NoRepetition(),"
     " start='u1')['u1'].label == 1"),
    ("kernel K", "zm.is_kernel(CHAIN, zm.kernel(CHAIN).positions) and len(zm.kernels(TWO)) == 1"),
    ("von Neumann", "isinstance(zm.kernel(LEVELS), zm.Kernel)"
     " and (zm.solve(LEVELS).distance // 2).max() == 1"),
    ("sum of combinatorial", "zm.Sum([1, 2, 3]).value == 0"),
    ("mex S", "zm.grundy(CHAIN)[2] == 1"),
    ("Lemma 1", "zm.grundy(ROOT)['v'] == 1"),
    ("Theorem 5", "zm.is_kernel(CHAIN, zm.kernel(CHAIN).positions)"
     " and [v for v in CHAIN if zm.grundy(CHAIN)[v] == 0] == sorted(zm.kernel(CHAIN).positions)"),
    ("Nim-sum", "zm.nim_sum([2, 3]) == zm.Sum([2, 3]).value == 1"),
    ("NIM with", "zm.solve(zm.game('nim:1,2,3'))[(1, 2, 3)].label == -1"),
    ("arborescence T", "zm.debut_tree(FIGURE, 'v0').complete"),
    ("EGGS function", "zm.eggs(FIGURE, 'v0') == 2"),
    ("problem Q_t", "zm.eggs_exceeds(FIGURE, 'v0', 1) and zm.eggs_bounds(FIGURE, 'v0')"),
    ("sum of games of no", "zm.Sum([(zm.NoReturnGame(FIGURE), ('v0',)), 2]).value == 0"
     " and zm.geography_sum([(FIGURE, 'v0'), (FIGURE, 'v0')])"),
    ("gadget", "zm.generators.sat_gadget().graph.n == 14"),
]  # fmt: skip

SLOW = {"impartial, partizan", "tables on disk"}
CALLS = [*LOEWE, *GAMES_ON_GRAPHS, *SLEATOR, *EDMONDS_GURVICH]


def play(reduction):
    return reduction.graph, reduction.objective


def raises(error, call):
    with pytest.raises(error):
        call()
    return True


def test_every_row_has_its_call():
    assert len(CALLS) == len(TERMS)
    for (term, _, _), (beginning, *_) in zip(TERMS, CALLS, strict=True):
        assert term.startswith(beginning), (term, beginning)


def numbered(k):
    """The number of a row; calls that need compiled code are marked."""
    marks = pytest.mark.slow if CALLS[k][0] in SLOW else ()
    return pytest.param(k, id=CALLS[k][0], marks=marks)


@pytest.mark.parametrize("k", [numbered(k) for k in range(len(CALLS))])
def test_what_a_row_names_is_called_and_gives_what_it_says(k, tmp_path):
    term, cell, _ = TERMS[k]
    code = CALLS[k][1]
    for name in NAME.findall(cell):
        owner, *attribute = name.strip(".").split(".")
        of_a_value = attribute and owner[0].isupper()
        assert (f".{attribute[0]}" if of_a_value else f"zm{name}") in code, (term, name)
    for keyword in re.findall(r'solver="([\w-]+)"|`(\w+=)', cell):
        assert "".join(keyword) in code, (term, keyword)
    here = {**globals(), "FOLDER": tmp_path, "transform": transform}
    assert eval(code, here), term


@pytest.mark.parametrize(
    ("beginning", "shown"),
    [
        ("loopy games", "∞(0)"),
        ("reachability to", '"objective":"safety"'),
        ("mean-payoff threshold", "parity 6;"),
        ("mean payoff, energy", "WIN"),
        ("D′", '"objective":"no-return"'),
        ("WIN/LOSE/DRAW", "parity "),
        ("Büchi to", "parity "),
        ("inverted game", "player"),
    ],
)
def test_the_command_of_a_row_shows_what_the_row_is_about(beginning, shown):
    [command] = [x for term, _, x in TERMS if term.startswith(beginning)]
    assert shown in pages.run(command.strip("`"))[1]


def test_no_two_public_functions_share_a_name():
    for name in {*zm.__all__} & {*transform.__all__, *generators.__all__}:
        for module in (transform, generators):
            assert getattr(module, name, getattr(zm, name)) is getattr(zm, name), name
    assert not {*transform.__all__} & {*generators.__all__}
