"""Merkle trees over a growing list of leaves; proofs that one is the beginning of another (RFC 6962, 2.1).

A tree's root commits to every leaf and to their order. Hashes are SHA-256, 32 bytes. A proof is the roots of a few
ranges of leaves; whoever makes one says where these roots come from: kept nodes, or one pass over the leaves.
"""

import hashlib
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

HASH_BYTES = 32
EMPTY = hashlib.sha256().digest()
"""The root of a tree without leaves."""
MOST_PROOF = 63
"""No proof has more hashes (C2SP tlog-witness)."""


class LeafRange(NamedTuple):
    """The leaves from ``begin`` (from 0) to before ``end`` that a subtree of some tree has."""

    begin: int
    end: int


ReadNode = Callable[[int, int], bytes]
"""Gives the root of the complete subtree of a level and index: of the leaves from index * 2**level, 2**level of
them."""


def leaf_hash(data: bytes) -> bytes:
    """The hash of a leaf; a prefix keeps leaves and inner nodes apart."""
    return hashlib.sha256(b"\0" + data).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """The hash of an inner node."""
    return hashlib.sha256(b"\1" + left + right).digest()


class GrowingTree:
    """The root of a growing list, without its leaves: one hash for each bit of its size.

    Args:
        size: how many leaves it has.
        peaks: the roots of the complete trees that it consists of, the largest first, as :func:`peaks_of` says.
    """

    def __init__(self, size: int = 0, peaks: Iterable[bytes] = ()) -> None:
        self.size = size
        self._peaks = list(peaks)

    @property
    def peaks(self) -> tuple[bytes, ...]:
        """The roots of the complete trees that the list consists of, the largest first."""
        return tuple(self._peaks)

    def append(self, leaf: bytes) -> list[bytes]:
        """Append a leaf's hash; returns the nodes that are complete with it, the leaf first."""
        complete, size = [leaf], self.size
        while size & 1:  # As many complete trees of one size as there are trailing ones: two become one.
            complete.append(node_hash(self._peaks.pop(), complete[-1]))
            size >>= 1
        self._peaks.append(complete[-1])
        self.size += 1
        return complete

    def root(self) -> bytes:
        """The root of the list so far."""
        if not self._peaks:
            return EMPTY
        root = self._peaks[-1]
        for peak in reversed(self._peaks[:-1]):
            root = node_hash(peak, root)
        return root


def peaks_of(size: int) -> list[tuple[int, int]]:
    """The complete trees that a list of this size consists of, the largest first, each as level and index."""
    peaks, begin = [], 0
    for level in reversed(range(size.bit_length())):
        if size >> level & 1:
            peaks.append((level, begin >> level))
            begin += 1 << level
    return peaks


def inclusion_ranges(index: int, size: int) -> list[LeafRange]:
    """The ranges whose roots prove that leaf ``index`` (from 0) is in a tree of ``size`` leaves (section 2.1.1)."""
    path: list[LeafRange] = []
    begin, end = 0, size
    while end - begin > 1:
        middle = begin + _split(end - begin)
        if index < middle:
            path.append(LeafRange(middle, end))
            end = middle
        else:
            path.append(LeafRange(begin, middle))
            begin = middle
    return path[::-1]


def consistency_ranges(old: int, size: int) -> list[LeafRange]:
    """The ranges whose roots prove that a tree of ``old`` leaves is the beginning of one of ``size`` (section
    2.1.2)."""
    if old in (0, size):
        return []
    path: list[LeafRange] = []
    begin, end, whole = 0, size, True
    while old != end:
        middle = begin + _split(end - begin)
        if old <= middle:
            path.append(LeafRange(middle, end))
            end = middle
        else:
            path.append(LeafRange(begin, middle))
            begin, whole = middle, False
    return ([] if whole else [LeafRange(begin, end)]) + path[::-1]


def range_root(part: LeafRange, node: ReadNode) -> bytes:
    """The root of a range, from complete subtrees."""
    begin, end = part
    count = end - begin
    if count == 0:
        return EMPTY
    if count & (count - 1) == 0:
        level = count.bit_length() - 1
        return node(level, begin >> level)
    middle = begin + _split(count)
    return node_hash(range_root(LeafRange(begin, middle), node), range_root(LeafRange(middle, end), node))


def roots_in_one_pass(ranges: Sequence[LeafRange], leaves: Iterable[bytes]) -> list[bytes]:
    """The roots of ranges that do not overlap, from the leaves' hashes in order, of which none is kept."""
    trees = {part: GrowingTree() for part in ranges}
    order = sorted(ranges)
    for at, leaf in enumerate(leaves):
        while order and order[0].end <= at:
            order.pop(0)
        if not order:
            break
        if order[0].begin <= at:
            trees[order[0]].append(leaf)
    return [trees[part].root() for part in ranges]


def _split(count: int) -> int:
    """The largest power of two below ``count``, which is at least 2."""
    return 1 << (count - 1).bit_length() - 1


def proves_inclusion(leaf: bytes, index: int, size: int, proof: Sequence[bytes], root: bytes) -> bool:
    """Whether a proof shows that a leaf's hash is at ``index`` (from 0) in the tree of this size and root."""
    if not 0 <= index < size:
        return False
    node, last, computed = index, size - 1, leaf
    for hashed in proof:
        if last == 0:
            return False
        if node & 1 or node == last:
            computed = node_hash(hashed, computed)
            while not node & 1 and node:
                node, last = node >> 1, last >> 1
        else:
            computed = node_hash(computed, hashed)
        node, last = node >> 1, last >> 1
    return last == 0 and computed == root


def proves_consistency(old: int, size: int, proof: Sequence[bytes], old_root: bytes, root: bytes) -> bool:
    """Whether a proof shows that the tree with the old size and root is the beginning of the one with the new."""
    if not 0 <= old <= size:
        return False
    if old == size:
        return not proof and old_root == root
    if old == 0:
        return not proof and old_root == EMPTY
    hashes = [old_root, *proof] if old & (old - 1) == 0 else list(proof)
    if not hashes:
        return False
    node, last = old - 1, size - 1
    while node & 1:
        node, last = node >> 1, last >> 1
    before = after = hashes[0]
    for hashed in hashes[1:]:
        if last == 0:
            return False
        if node & 1 or node == last:
            before, after = node_hash(hashed, before), node_hash(hashed, after)
            while not node & 1 and node:
                node, last = node >> 1, last >> 1
        else:
            after = node_hash(after, hashed)
        node, last = node >> 1, last >> 1
    return last == 0 and before == old_root and after == root
