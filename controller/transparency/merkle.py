"""Merkle trees over a growing list of leaves; proofs that one is the beginning of another (RFC 6962, 2.1).

A tree's root commits to every leaf and to their order. Hashes are SHA-256, 32 bytes.
"""

import hashlib
from collections.abc import Sequence

EMPTY = hashlib.sha256().digest()
"""The root of a tree without leaves."""
MOST_PROOF = 63
"""No proof has more hashes (C2SP tlog-witness)."""


def leaf_hash(data: bytes) -> bytes:
    """The hash of a leaf; a prefix keeps leaves and inner nodes apart."""
    return hashlib.sha256(b"\0" + data).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """The hash of an inner node."""
    return hashlib.sha256(b"\1" + left + right).digest()


class GrowingTree:
    """The root of a growing list, without its leaves: one hash for each bit of its size."""

    def __init__(self) -> None:
        self.size = 0
        self._peaks: list[bytes] = []
        """The roots of the complete trees that the list consists of, the largest first."""

    def append(self, leaf: bytes) -> None:
        """Append a leaf's hash."""
        self._peaks.append(leaf)
        size = self.size
        while size & 1:  # As many complete trees of one size as there are trailing ones: two become one.
            right, left = self._peaks.pop(), self._peaks.pop()
            self._peaks.append(node_hash(left, right))
            size >>= 1
        self.size += 1

    def root(self) -> bytes:
        """The root of the list so far."""
        if not self._peaks:
            return EMPTY
        root = self._peaks[-1]
        for peak in reversed(self._peaks[:-1]):
            root = node_hash(peak, root)
        return root


class Tree:
    """A list of leaves' hashes, for proofs.

    Complete subtrees are hashed once. A million leaves take some 64 MB.
    """

    def __init__(self, leaves: Sequence[bytes]) -> None:
        self._levels = [list(leaves)]
        while len(below := self._levels[-1]) > 1:
            pairs = zip(below[::2], below[1::2], strict=False)
            self._levels.append([node_hash(left, right) for left, right in pairs])

    def __len__(self) -> int:
        return len(self._levels[0])

    def root(self, size: int | None = None) -> bytes:
        """The root of the first ``size`` leaves; of all without it."""
        return self._root(0, len(self) if size is None else size)

    def inclusion_proof(self, index: int, size: int) -> list[bytes]:
        """That leaf ``index`` (from 0) is in the tree of the first ``size`` leaves (section 2.1.1)."""
        path: list[bytes] = []
        begin, end = 0, size
        while end - begin > 1:
            middle = begin + _split(end - begin)
            if index < middle:
                path.append(self._root(middle, end))
                end = middle
            else:
                path.append(self._root(begin, middle))
                begin = middle
        return path[::-1]

    def consistency_proof(self, old: int, size: int) -> list[bytes]:
        """That the tree of the first ``old`` leaves is the beginning of that of ``size`` (section 2.1.2)."""
        if old in (0, size):
            return []
        path: list[bytes] = []
        begin, end, whole = 0, size, True
        while old != end:
            middle = begin + _split(end - begin)
            if old <= middle:
                path.append(self._root(middle, end))
                end = middle
            else:
                path.append(self._root(begin, middle))
                begin, whole = middle, False
        return ([] if whole else [self._root(begin, end)]) + path[::-1]

    def _root(self, begin: int, end: int) -> bytes:
        """The root of the leaves from ``begin`` to before ``end``, where ``begin`` is where a subtree begins."""
        count = end - begin
        if count == 0:
            return EMPTY
        if count & (count - 1) == 0:
            level = count.bit_length() - 1
            return self._levels[level][begin >> level]
        middle = begin + _split(count)
        return node_hash(self._root(begin, middle), self._root(middle, end))


def _split(count: int) -> int:
    """The largest power of two below ``count``, which is at least 2."""
    return 1 << ((count - 1).bit_length() - 1)


def proves_inclusion(leaf: bytes, index: int, size: int, proof: Sequence[bytes], root: bytes) -> bool:
    """Whether a proof shows that a leaf's hash is at an index of the tree with this size and root."""
    if not 0 <= index < size:
        return False
    found, node, last = leaf, index, size - 1
    for hashed in proof:
        if last == 0:
            return False
        if node & 1 or node == last:
            found = node_hash(hashed, found)
            while not node & 1 and node:
                node, last = node >> 1, last >> 1
        else:
            found = node_hash(found, hashed)
        node, last = node >> 1, last >> 1
    return last == 0 and found == root


def proves_consistency(old: int, size: int, proof: Sequence[bytes], old_root: bytes, root: bytes) -> bool:
    """Whether a proof shows that the tree with the old size and root is the beginning of the one with the new."""
    if not 0 <= old <= size:
        return False
    if old in (0, size):
        return not proof and (old_root == EMPTY if old == 0 else old_root == root)
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
