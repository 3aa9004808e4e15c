"""Rank the rows of a Spark DataFrame by an Assize profile.

>>> from assize_spark import rank
>>> best = rank(candidates, "search.yaml", partition_by="user_id", top=10)

The result is a lazy DataFrame. Nothing is collected.
"""

from __future__ import annotations

import json
import os
import tempfile
from datetime import datetime, timezone
from typing import Any, Mapping, Optional, Sequence

from pyspark.sql import DataFrame

from ._command import AssizeError
from ._engine import by_engine
from ._plain import shaped, statement

__all__ = ["AssizeError", "rank"]

MODES = ("auto", "plain", "engine")


def rank(
    df: DataFrame,
    profile: str,
    *,
    partition_by: Optional[str] = None,
    top: Optional[int] = None,
    min_score: Optional[float] = None,
    order_by: str = "id",
    context: Optional[Mapping[str, Any]] = None,
    mode: str = "auto",
    command: Sequence[str] = ("npx", "assize"),
) -> DataFrame:
    """Ranks rows by a profile, and returns the selected ones, lazily.

    The result has the columns `partition_by`, `rank` (int, from 1), `id`, `score` (double) and `scores`
    (a map of each scorer's score).

    df            the candidates, one per row
    profile       a preset, or the path of a profile on the driver
    partition_by  the column of the group; each group is a ranking of its own
    top           the most rows of a group, in place of the profile's
    min_score     the least score, in place of the profile's
    order_by      the column that orders rows of equal score; its values must be unique in a group
    context       the context of the request; `now` is the time of the call if it is missing
    mode          `auto`: Spark expressions if they give the engine's scores to the bit, otherwise the
                  engine. `plain`: Spark expressions, whose scores may differ in the last digits.
                  `engine`: the engine, in a process next to each task
    command       starts the command line, on the driver and with mode `engine` on the workers

    Raises AssizeError if the profile, a column or an option is invalid, or if the command line does not
    start.
    """
    if mode not in MODES:
        raise AssizeError(f"mode is {mode!r}; expected one of {', '.join(MODES)}")
    if partition_by in ("rank", "id", "score", "scores"):
        raise AssizeError(f"the group column {partition_by!r} has the name of a column of the result; rename it")
    for option, name in (("order_by", order_by), ("partition_by", partition_by)):
        if name is not None and name not in df.columns:
            hint = ". Pass order_by=, a column that is unique in a group" if option == "order_by" else ""
            raise AssizeError(f"{option}: the DataFrame has no column {name!r}; it has {', '.join(df.columns)}{hint}")
    request = {"now": datetime.now(timezone.utc).isoformat(), **(context or {})}
    with tempfile.TemporaryDirectory() as folder:
        context_file = os.path.join(folder, "context.json")
        with open(context_file, "w", encoding="utf-8") as file:
            json.dump(request, file, default=str)
        limits = _limits(top, min_score)
        if mode != "engine":
            found, why = statement(df, profile, partition_by, order_by, context_file, limits, mode, command)
            if found is not None:
                return shaped(df, found, partition_by)
            if mode == "plain":
                raise AssizeError(why)
    return by_engine(df, profile, partition_by, order_by, request, limits, command)


def _limits(top: Optional[int], min_score: Optional[float]) -> list[str]:
    return [
        *(["--top", str(top)] if top is not None else []),
        *(["--min-score", repr(float(min_score))] if min_score is not None else []),
    ]
