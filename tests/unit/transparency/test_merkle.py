"""Trees and proofs against the definitions of RFC 6962, 2.1, computed by brute force."""

import hashlib
import random

import pytest

from controller.transparency.merkle import (
    EMPTY,
    GrowingTree,
    LeafRange,
    consistency_ranges,
    inclusion_ranges,
    leaf_hash,
    peaks_of,
    proves_consistency,
    proves_inclusion,
    range_root,
)

SIZES = 70


def tree_hash(leaves: list[bytes]) -> bytes:
    """MTH of RFC 6962, 2.1, word for word; here over the hashes of the leaves."""
    if not leaves:
        return hashlib.sha256(b"").digest()
    if len(leaves) == 1:
        return leaves[0]
    k = 1
    while k * 2 < len(leaves):
        k *= 2
    return hashlib.sha256(b"\x01" + tree_hash(leaves[:k]) + tree_hash(leaves[k:])).digest()


def path(m: int, leaves: list[bytes]) -> list[bytes]:
    """PATH of RFC 6962, 2.1.1."""
    if len(leaves) == 1:
        return []
    k = 1
    while k * 2 < len(leaves):
        k *= 2
    if m < k:
        return [*path(m, leaves[:k]), tree_hash(leaves[k:])]
    return [*path(m - k, leaves[k:]), tree_hash(leaves[:k])]


def subproof(m: int, leaves: list[bytes], whole: bool) -> list[bytes]:
    """SUBPROOF of RFC 6962, 2.1.2."""
    if m == len(leaves):
        return [] if whole else [tree_hash(leaves)]
    k = 1
    while k * 2 < len(leaves):
        k *= 2
    if m <= k:
        return [*subproof(m, leaves[:k], whole), tree_hash(leaves[k:])]
    return [*subproof(m - k, leaves[k:], False), tree_hash(leaves[:k])]


def leaves_of(count: int) -> list[bytes]:
    return [leaf_hash(bytes((number,))) for number in range(count)]


LEAVES = leaves_of(SIZES)
ROOTS = [tree_hash(LEAVES[:size]) for size in range(SIZES + 1)]


def test_the_roots_of_known_trees() -> None:
    # RFC 6962's test data, as certificate-transparency's own tests have it.
    data = [b"", b"\x00", b"\x10", b"\x20\x21", b"\x30\x31", b"\x40\x41\x42\x43"]
    data += [b"\x50\x51\x52\x53\x54\x55\x56\x57", bytes(range(0x60, 0x70))]
    tree = GrowingTree()
    assert tree.root() == EMPTY
    for one in data:
        tree.append(leaf_hash(one))
    assert tree.root().hex() == "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328"


def test_a_growing_tree_has_the_root_of_every_size() -> None:
    tree = GrowingTree()
    for size, leaf in enumerate(LEAVES):
        assert tree.root() == ROOTS[size]
        tree.append(leaf)
    assert tree.root() == ROOTS[SIZES]


def test_a_tree_goes_on_from_its_peaks() -> None:
    for size in range(SIZES):
        tree = GrowingTree()
        for leaf in LEAVES[:size]:
            tree.append(leaf)
        peaks = [tree_hash(LEAVES[index << level : index + 1 << level]) for level, index in peaks_of(size)]
        assert list(tree.peaks) == peaks
        again = GrowingTree(size, peaks)
        again.append(LEAVES[size])
        assert again.root() == ROOTS[size + 1]


def test_every_inclusion_proof_is_that_of_the_definition_and_proves() -> None:
    for size in range(1, SIZES + 1):
        for index in range(size):
            proof = [tree_hash(LEAVES[part.begin : part.end]) for part in inclusion_ranges(index, size)]
            assert proof == path(index, LEAVES[:size])
            assert proves_inclusion(LEAVES[index], index, size, proof, ROOTS[size])


def test_every_consistency_proof_is_that_of_the_definition_and_proves() -> None:
    for size in range(1, SIZES + 1):
        for old in range(size + 1):
            proof = [tree_hash(LEAVES[part.begin : part.end]) for part in consistency_ranges(old, size)]
            assert proof == (subproof(old, LEAVES[:size], True) if old else [])
            assert proves_consistency(old, size, proof, ROOTS[old], ROOTS[size])


def test_a_proof_of_anything_else_proves_nothing() -> None:
    chance = random.Random(6962)
    for _ in range(3000):
        size = chance.randint(2, SIZES)
        old, index = chance.randint(1, size - 1), chance.randrange(size)
        proof = subproof(old, LEAVES[:size], True)
        inclusion = path(index, LEAVES[:size])
        other = chance.choice([number for number in range(1, SIZES) if number != old])
        assert not proves_consistency(old, size, proof, ROOTS[other], ROOTS[size])
        assert not proves_consistency(old, size, proof, ROOTS[old], ROOTS[size - 1])
        assert not proves_consistency(old, size, [*proof, LEAVES[0]], ROOTS[old], ROOTS[size])
        assert not proves_consistency(old, size, proof[:-1], ROOTS[old], ROOTS[size])
        at = chance.randrange(len(proof))
        changed = [*proof[:at], bytes(32), *proof[at + 1 :]]
        assert not proves_consistency(old, size, changed, ROOTS[old], ROOTS[size])
        wrong = chance.choice([number for number in range(size) if number != index])
        assert not proves_inclusion(LEAVES[index], wrong, size, inclusion, ROOTS[size])
        assert not proves_inclusion(LEAVES[wrong], index, size, inclusion, ROOTS[size])
        assert not proves_inclusion(LEAVES[index], index, size, [*inclusion, LEAVES[0]], ROOTS[size])


@pytest.mark.parametrize(
    ("old", "size", "proof", "old_root", "root"),
    [
        (1, 0, [], ROOTS[1], ROOTS[0]),
        (-1, 2, [], EMPTY, ROOTS[2]),
        (0, 0, [], EMPTY, ROOTS[1]),
        (0, 3, [LEAVES[0]], EMPTY, ROOTS[3]),
        (0, 3, [], ROOTS[1], ROOTS[3]),
        (3, 3, [], ROOTS[3], ROOTS[2]),
        (3, 5, [], ROOTS[3], ROOTS[5]),
    ],
)
def test_sizes_at_the_edge(old: int, size: int, proof: list[bytes], old_root: bytes, root: bytes) -> None:
    assert not proves_consistency(old, size, proof, old_root, root)


def test_roots_of_ranges_come_from_complete_nodes_alone() -> None:
    def node(level: int, index: int) -> bytes:
        return tree_hash(LEAVES[index << level : index + 1 << level])

    for size in range(1, SIZES):
        for old in range(size):
            for part in consistency_ranges(old, size):
                assert range_root(part, node) == tree_hash(LEAVES[part.begin : part.end])
    assert range_root(LeafRange(0, 0), node) == EMPTY
