"""The checker of misère quotients is attacked: whatever is changed, it must see it."""

from dataclasses import replace

import numpy as np
import pytest
from tests.sums.misere_oracle import Listed, Octal

from zermelo.errors import CertificateError
from zermelo.sums.misere.quotient import MisereQuotient, misere_quotient

CODES = [("0.77", 5), ("0.71", 6), ("0.333", 6), ("0.123", 9)]


def refuse(quotient, match=None):
    with pytest.raises(CertificateError, match=match):
        quotient.verify()


@pytest.mark.parametrize(("code", "n"), CODES)
def test_every_wrong_outcome_is_refused(code, n):
    q = misere_quotient(Octal(code), n)
    for x in range(q.order):
        losing = q.losing.copy()
        losing[x] ^= True
        refuse(replace(q, losing=losing))


@pytest.mark.parametrize(("code", "n"), CODES)
def test_every_wrong_element_of_a_heap_is_refused(code, n):
    q = misere_quotient(Octal(code), n)
    for heap in range(n + 1):
        for x in set(range(q.order)) - {int(q.phi[heap])}:
            phi = q.phi.copy()
            phi[heap] = x
            refuse(replace(q, phi=phi))


def test_every_wrong_product_is_refused():
    q = misere_quotient(Octal("0.77"), 5)
    for x in range(q.order):
        for y in range(x, q.order):
            for z in set(range(q.order)) - {int(q.product[x, y])}:
                product = q.product.copy()
                product[x, y] = product[y, x] = z
                refuse(replace(q, product=product))


def test_a_quotient_of_other_heaps_is_refused():
    """The quotient of heaps 0 … 4 is too small for heap 5, whatever element it gets."""
    small, large = misere_quotient(Octal("0.77"), 4), misere_quotient(Octal("0.77"), 5)
    for x in range(small.order):
        phi = np.append(small.phi, np.int32(x))
        refuse(MisereQuotient(large.options, small.product, small.losing, phi))
    refuse(MisereQuotient(small.options, large.product, large.losing, large.phi[:5]), "generate")


def test_condition_5_is_needed():
    """Of the elements above, some pass all but the search for a position without an answer."""
    small, large = misere_quotient(Octal("0.71"), 4), misere_quotient(Octal("0.71"), 5)
    seen = set()
    for x in range(small.order):
        phi = np.append(small.phi, np.int32(x))
        with pytest.raises(CertificateError) as caught:
            MisereQuotient(large.options, small.product, small.losing, phi).verify()
        seen.add(str(caught.value).split(":")[0])
    assert any("no move wins" in text for text in seen)


def test_an_unreduced_monoid_is_refused():
    """The integers modulo 4 tell the outcomes of heaps of 1, but so do those modulo 2."""
    table = np.add.outer(np.arange(4), np.arange(4)).astype(np.int32) % 4
    odd = np.array([False, True, False, True])
    claim = MisereQuotient(((), ((),)), table, odd, np.array([0, 1], np.int32))
    refuse(claim, "not reduced")
    MisereQuotient(((), ((),)), table[:2, :2] % 2, odd[:2], claim.phi).verify()


def test_what_is_no_monoid_is_refused():
    q = misere_quotient(Octal("0.77"), 5)
    refuse(replace(q, product=q.product[:, 1:]), "square")
    refuse(replace(q, phi=q.phi[1:]), "one element per heap")
    refuse(replace(q, losing=q.losing.astype(np.int8)), "mask")
    refuse(replace(q, phi=q.phi + np.int32(20)), "elements from 0")
    table = q.product.copy()
    table[1, 2] = 0
    refuse(replace(q, product=table), "commutative")
    order = np.arange(q.order)[::-1]
    refuse(replace(q, product=q.product[np.ix_(order, order)]), "not the identity")
    refuse(replace(q, options=(((1,),), *q.options[1:])), "not smaller")


def test_other_rules_are_refused():
    q = misere_quotient(Octal("0.77"), 5)
    for heap in range(1, 6):
        for k in range(len(q.options[heap])):
            row = q.options[heap][:k] + q.options[heap][k + 1 :]
            changed = replace(q, options=(*q.options[:heap], row, *q.options[heap + 1 :]))
            fresh = misere_quotient(Listed(changed.options), 5)
            same = fresh.order == q.order and np.array_equal(fresh.phi, q.phi)
            if not same:
                refuse(changed)


def test_a_lost_end_is_refused():
    refuse(MisereQuotient(((),), np.zeros((1, 1), np.int32), np.array([True]), np.zeros(1, int)),
           "empty position")  # fmt: skip
    table = np.array([[0, 1], [1, 0]], np.int32)
    refuse(MisereQuotient(((), ()), table, np.array([False, True]), np.array([0, 1])), "no move")
