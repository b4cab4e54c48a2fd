"""Reads Prometheus' text format, by a parser of its own."""

import re
import urllib.error
import urllib.request
from dataclasses import dataclass, field

SAMPLE = re.compile(r"^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)$")
LABEL = re.compile(r'([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\]|\\.)*)"(?:,|$)')

Labels = frozenset[tuple[str, str]]


@dataclass
class Scrape:
    text: str
    kinds: dict[str, str] = field(default_factory=dict)
    samples: dict[tuple[str, Labels], float] = field(default_factory=dict)

    def value(self, series: str) -> float:
        """The sum of the series that have this name and these labels: `name{a="b"}`; 0 where there are none."""
        name, labels = parsed(series)
        return sum(value for (each, has), value in self.samples.items() if each == name and labels <= has)

    def labels(self, name: str) -> set[str]:
        return {label for (each, has) in self.samples if each == name for label, _ in has}

    def names(self) -> set[str]:
        return {name for name, _ in self.samples}


def parsed(series: str) -> tuple[str, Labels]:
    match = re.fullmatch(r"([a-zA-Z0-9_:]+)(?:\{(.*)\})?", series)
    assert match, series
    return match[1], frozenset(LABEL.findall(match[2] or ""))


def scrape(address: str, path: str = "/metrics", headers: dict[str, str] | None = None) -> Scrape:
    request = urllib.request.Request(address + path, headers=headers or {})
    with urllib.request.urlopen(request, timeout=60) as answer:
        assert answer.headers["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8"
        found = Scrape(answer.read().decode())
    for line in found.text.splitlines():
        if line.startswith("# TYPE "):
            _, _, name, kind = line.split(" ")
            assert name not in found.kinds, f"{name} is described twice"
            found.kinds[name] = kind
        elif not line.startswith("#"):
            match = SAMPLE.match(line)
            assert match, line
            labels = LABEL.findall(match[2] or "")
            assert match[2] is None or LABEL.sub("", match[2]) == "", line
            key = (match[1], frozenset(labels))
            assert key not in found.samples, f"{line} is there twice"
            found.samples[key] = float(match[3])
    return found
