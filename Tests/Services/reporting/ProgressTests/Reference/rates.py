#!/usr/bin/env python3
"""Prints how often a trend is told where there is none, and how often where there is one: the figures of docs/progress.md.

usage: rates.py        with NumPy

Written apart from the service. The histories are those of TrendTests, made by the same steps from the same seeds: 2,000 each, scores that
vary by 6 points. The chance of an order is that of the Mann-Kendall test, exact, also with equal values.
"""
from functools import lru_cache

import numpy

NUMBER, SPREAD = 2_000, 6
REPEATABILITY, CHANCE, WINDOW, LEAST = 2, 0.01, 30, 5
WORD = numpy.uint64


def randoms(states):
    """The next numbers of SplitMix64, as Shared/Testing/TestingSupport/SeededRandom.swift has it, from 0 up to 1."""
    states += WORD(0x9E3779B97F4A7C15)
    mixed = (states ^ (states >> WORD(30))) * WORD(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> WORD(27))) * WORD(0x94D049BB133111EB)
    mixed ^= mixed >> WORD(31)
    return (mixed >> WORD(11)).astype(float) / (1 << 53)


def histories(reports, rise=0, memory=0):
    """A row for each seed: scores that rise by so much, of which each has so much of the last one's luck."""
    states = numpy.arange(NUMBER, dtype=WORD) * WORD(7_919) + WORD(reports)
    luck, columns = numpy.zeros(NUMBER), []
    for report in range(reports):
        normal = sum(randoms(states) for _ in range(12)) - 6
        luck = memory * luck + (1 - memory * memory) ** 0.5 * normal
        columns.append(numpy.floor(60 + rise * report / (reports - 1) + SPREAD * luck + 0.5))
    return numpy.array(columns).T


@lru_cache(maxsize=None)
def between(size, others):
    """The chances of each number of inversions between a group of equal values and so many others."""
    rows = [numpy.ones(1)] * (others + 1)
    for step in range(1, size + 1):
        for place in range(1, others + 1):
            share, chances = step / (step + place), numpy.zeros(step * place + 1)
            chances[:len(rows[place])] += share * rows[place]
            chances[step:step + len(rows[place - 1])] += (1 - share) * rows[place - 1]
            rows[place] = chances
    return rows[others]


def chance_of_rise(values, inversions):
    """How likely so few inversions are, of all orders of these values."""
    chances, placed = numpy.ones(1), 0
    for size in numpy.unique(values, return_counts=True)[1]:
        chances = numpy.convolve(chances, between(int(size), placed))
        placed += int(size)
    return chances[:inversions + 1].sum()


def improved(scores):
    """Of which histories it is said."""
    scores = scores[:, -WINDOW:]
    earlier, later = numpy.triu_indices(scores.shape[1], 1)
    steps = scores[:, later] - scores[:, earlier]
    change = numpy.median(steps / (later - earlier), axis=1) * (scores.shape[1] - 1)
    inversions = (steps < 0).sum(axis=1)
    return numpy.array([change[seed] > REPEATABILITY and chance_of_rise(scores[seed], inversions[seed]) <= CHANCE + 1e-12
                        for seed in range(NUMBER)])


def percent(found, digits=0):
    return f"{100 * found.mean():.{digits}f} %"


def main():
    print("nothing changes", *(f"{reports:>7}" for reports in (5, 8, 12, 20, 60)))
    for memory in (0, 0.3):
        print(f"correlation {memory:<4}", *(f"{percent(improved(histories(reports, memory=memory)), 2):>7}" for reports in (5, 8, 12, 20, 60)))
    print("a rise of      ", *(f"{reports:>7}" for reports in (5, 8, 12, 20, 30)))
    for rise in (24, 12, 6):
        print(f"{rise:<16}", *(f"{percent(improved(histories(reports, rise)), 2):>7}" for reports in (5, 8, 12, 20, 30)))
    for memory in (0, 0.3):
        whole = histories(30, memory=memory)
        ever = numpy.any([improved(whole[:, :reports]) for reports in range(LEAST, 31)], axis=0)
        print(f"ever within 30 reports, correlation {memory}: {percent(ever, 1)}")


main()
