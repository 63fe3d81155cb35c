#!/usr/bin/env python3
"""Writes histories.txt: what SciPy says of 2,000 simulated histories of a score, which TrendTests compares with.

usage: histories.py > histories.txt        with NumPy and SciPy (1.17.1 made the file that is here)

A line is: the verdict, the chance of a rise, the chance of a fall, the Theil-Sen slope. The histories themselves are made here and in
TrendTests by the same steps from the same seeds. SciPy knows the exact distribution where no two values are equal; where some are, it is
counted here in whole numbers, by the q-multinomial coefficient.
"""
import math
from collections import Counter

import numpy
from scipy.stats import kendalltau, theilslopes

MASK = (1 << 64) - 1
NUMBER = 2_000
REPEATABILITY, CHANCE, WINDOW = 2, 0.01, 30


class Random:
    """SplitMix64, as Shared/Testing/TestingSupport/SeededRandom.swift has it."""

    def __init__(self, seed):
        self.state = seed

    def next(self):
        self.state = (self.state + 0x9E3779B97F4A7C15) & MASK
        mixed = self.state
        mixed = ((mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & MASK
        return mixed ^ (mixed >> 31)


def history(seed):
    """In hundredths of a point or, every fourth time, in tens of points: made of whole numbers, so that both languages have the same."""
    random = Random(seed)
    is_coarse = seed % 4 == 0
    count = 5 + random.next() % 26
    rise = (0, 0, 1_200, 2_400, -2_400)[random.next() % 5]
    spread = (200, 400, 600)[random.next() % 3]
    values = []
    for index in range(count):
        # Towards 0, as Swift divides.
        noise = int(sum(random.next() % (2 * spread + 1) - spread for _ in range(4)) / 2)
        value = 6_000 + int(rise * index / (count - 1)) + noise
        values.append(value // 1_000 * 10 if is_coarse else value / 100)
    return values


def factorial(count):
    """How many orders of different values have each number of inversions."""
    ways = [1]
    for size in range(2, count + 1):
        ways = [sum(ways[max(0, place - size + 1):place + 1]) for place in range(len(ways) + size - 1)]
    return ways


def quotient(ways, divisor):
    """The exact quotient of two polynomials that begin with 1."""
    left, found = list(ways), []
    for place in range(len(ways) - len(divisor) + 1):
        found.append(left[place])
        for offset, part in enumerate(divisor):
            left[place + offset] -= found[-1] * part
    assert not any(left)
    return found


def counted(values):
    """The chances, of all orders of these values."""
    ties = Counter(values).values()
    ways = factorial(len(values))
    for size in ties:
        ways = quotient(ways, factorial(size))
    orders = math.factorial(len(values)) // math.prod(math.factorial(size) for size in ties)
    assert sum(ways) == orders
    inversions = sum(later < earlier for place, later in enumerate(values) for earlier in values[:place])
    return sum(ways[:inversions + 1]) / orders, sum(ways[inversions:]) / orders


def judged(values):
    places = numpy.arange(len(values))
    if len(set(values)) == len(values):
        rise, fall = (kendalltau(places, values, method="exact", alternative=way).pvalue for way in ("greater", "less"))
    else:
        rise, fall = counted(values)
    slope = theilslopes(values, places).slope
    change = slope * (len(values) - 1)
    verdict = "steady"
    if change > REPEATABILITY and rise <= CHANCE:
        verdict = "improved"
    if change < -REPEATABILITY and fall <= CHANCE:
        verdict = "declined"
    return f"{verdict} {rise:.12g} {fall:.12g} {slope:.12g}"


for seed in range(NUMBER):
    print(judged(history(seed)))
