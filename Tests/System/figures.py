"""What tests measure on their way, for `make bench-operate`."""


def figure(name: str, value: str) -> None:
    # On a line of its own: pytest writes its dots without line breaks.
    print(f"\nfigure  {name:<64}{value}", flush=True)
