"""Reads the Prometheus text format from standard input with Prometheus' own Python client.

Prints a JSON line for every family: its name, type, help, and samples as [name, labels, value].
"""

import json
import sys

from prometheus_client.parser import text_string_to_metric_families

for family in text_string_to_metric_families(sys.stdin.buffer.read().decode()):
    samples = [[each.name, each.labels, str(each.value)] for each in family.samples]
    print(json.dumps({"name": family.name, "type": family.type, "help": family.documentation, "samples": samples}))
