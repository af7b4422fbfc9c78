"""Writes the Parquet files of this folder, and want.json: what is in them.

    pip install pyarrow polars duckdb fastparquet pandas && python make.py
"""
import base64, datetime, gzip, json, os
from decimal import Decimal

import numpy as np, pandas as pd
import pyarrow as pa, pyarrow.parquet as pq, pyarrow.parquet.encryption as pe
import duckdb, fastparquet, polars as pl

n, rng, want = 120, np.random.default_rng(7), {}


def stored(v):
    """A value as the file stores it: a number, a truth value, or text in hex."""
    if v is None or isinstance(v, (int, float, bool)):
        return v
    if isinstance(v, (list, tuple)):
        return [stored(x) for x in v]
    return (v.encode() if isinstance(v, str) else bytes(v)).hex()


def note(name, table):
    want[name] = {c: stored(table[c].to_pylist()) for c in table.column_names}


def holes(v, every=3):
    return [None if i % every == 1 else x for i, x in enumerate(v)]


def numbers():
    walk = np.cumsum(rng.integers(-9, 10, n))
    far = [(-2**31, 2**31 - 1, 0, -1, 5)[i % 5] for i in range(n)]
    wide = [(-2**63, 2**63 - 1, 0, 77, -1)[i % 5] for i in range(n)]
    words = ["", "a", "über", "x" * 40, "I10", "E11.9"]
    return {
        "walk": pa.array(walk, pa.int32()), "far": pa.array(far, pa.int32()), "wide": pa.array(wide, pa.int64()),
        "climb": pa.array(np.cumsum(rng.integers(0, 1 << 40, n)), pa.int64()),
        "single": pa.array(rng.normal(size=n).astype(np.float32), pa.float32()), "double": pa.array(rng.normal(size=n), pa.float64()),
        "yes": pa.array(rng.random(n) < .3), "text": pa.array([words[i % 6] + str(i // 9) for i in range(n)]),
        "fixed": pa.array([bytes([i % 7, i, 255 - i]) for i in range(n)], pa.binary(3)),
        "holes": pa.array(holes(list(map(int, walk))), pa.int64()), "gaps": pa.array(holes([words[i % 6] for i in range(n)], 2)),
        "never": pa.array([None] * n, pa.int32()), "runs": pa.array([i // 40 for i in range(n)], pa.int32()),
    }


everything = pa.table(numbers())

# Every encoding, in pages of both versions, with checksums.
ways = {"plain": {}, "split": {c: "BYTE_STREAM_SPLIT" for c in ("walk", "wide", "single", "double", "fixed")},
        "delta": {"walk": "DELTA_BINARY_PACKED", "far": "DELTA_BINARY_PACKED", "wide": "DELTA_BINARY_PACKED", "climb": "DELTA_BINARY_PACKED",
                  "holes": "DELTA_BINARY_PACKED", "text": "DELTA_LENGTH_BYTE_ARRAY", "gaps": "DELTA_BYTE_ARRAY", "fixed": "DELTA_BYTE_ARRAY", "yes": "RLE"},
        "prefix": {"text": "DELTA_BYTE_ARRAY", "gaps": "DELTA_LENGTH_BYTE_ARRAY"}}
for way, encodings in ways.items():
    for version in ("1.0", "2.0"):
        t = everything
        if way == "prefix":
            t = t.select(["text", "gaps"])
        name = f"{way}-v{version[0]}.parquet"
        pq.write_table(t, name, use_dictionary=False, column_encoding=encodings or None, compression="none", data_page_version=version,
                       data_page_size=200, write_batch_size=50, write_page_checksum=True, write_statistics=False)
        note(name, t)
t = everything.drop_columns(["yes"])
for version in ("1.0", "2.0"):
    pq.write_table(t, f"words-v{version[0]}.parquet", use_dictionary=True, compression="none", data_page_version=version, row_group_size=50, write_statistics=False)
    note(f"words-v{version[0]}.parquet", t)

# Every codec, with numbers that hardly shrink and words that shrink well.
t = pa.table({"double": rng.normal(size=n), "text": holes([f"word {i // 20}" for i in range(n)], 5), "same": [7] * n})
for codec in ("snappy", "gzip", "zstd", "lz4", "brotli"):
    for version in ("1.0", "2.0"):
        name = f"{codec}-v{version[0]}.parquet"
        pq.write_table(t, name, compression=codec, data_page_version=version, use_dictionary=["text"], data_page_size=300, write_batch_size=40)
        note(name, t)

# What values mean.
day, at = datetime.date(2020, 2, 29), datetime.datetime(2020, 2, 29, 12, 30, 5, 250000)
t = pa.table({
    "day": pa.array([day, None]), "ms": pa.array([at, None], pa.timestamp("ms")), "us": pa.array([at, None], pa.timestamp("us", "UTC")),
    "ns": pa.array([at, None], pa.timestamp("ns")), "clock": pa.array([datetime.time(12, 30, 5, 250000), None], pa.time64("us")),
    "clock32": pa.array([datetime.time(12, 30, 5), None], pa.time32("ms")),
    "small": pa.array([Decimal("-1.50"), None], pa.decimal128(5, 2)), "large": pa.array([Decimal("123456789012345678901.234"), None], pa.decimal128(30, 3)),
    "u8": pa.array([200, None], pa.uint8()), "u32": pa.array([2**31, None], pa.uint32()), "u64": pa.array([2**63, None], pa.uint64()),
    "half": pa.array(np.array([1.5, -2.0], np.float16), pa.float16()), "i8": pa.array([-5, None], pa.int8()),
    "bytes": pa.array([b"I10", None], pa.binary()), "sort": pa.array(["red", None]).dictionary_encode(), "uuid": pa.array([bytes(range(16)), None], pa.uuid()),
    "nothing": pa.nulls(2),
})
pq.write_table(t, "meanings.parquet")
small = pa.table({"price": pa.array([Decimal("1.00"), Decimal("-12.50")], pa.decimal128(9, 2)), "wide": pa.array([Decimal("-0.005"), Decimal("1000.000")], pa.decimal128(18, 3))})
pq.write_table(small, "decimals-as-numbers.parquet", store_decimal_as_integer=True)
pq.write_table(pa.table({"at": pa.array([at, None], pa.timestamp("ns"))}), "int96.parquet", use_deprecated_int96_timestamps=True)

# Tables whose roles are found as in a CSV of the same cells.
roles = pa.table({
    "pid": [f"p{i:03}" for i in range(60)], "colour": [("red", "green", "blue")[i % 3] for i in range(60)],
    "price": pa.array([Decimal(100 + 3 * i) / 100 for i in range(60)], pa.decimal128(9, 2)),
    "at": pa.array([datetime.datetime(2020, 1, 1) + datetime.timedelta(i) for i in range(60)], pa.timestamp("us", "UTC")),
    "age": [20.5 + i % 7 for i in range(60)],
})
for codec in ("snappy", "lz4"):
    pq.write_table(roles, f"roles-{codec}.parquet", compression=codec, store_decimal_as_integer=True)
for name, big, dose in (("unsigned", [2**63, 2], [0.5, 1.5]), ("unsigned-inf", [7, 2], [0.5, float("inf")])):
    pq.write_table(pa.table({"big": pa.array(big, pa.uint64()), "dose": dose}), f"{name}.parquet")

# Structures, lists, maps.
rows = [
    {"id": "a", "who": {"age": 61, "sex": "f"}, "codes": ["I10", None, "E11"], "dx": [{"code": "I10", "n": 2}, {"code": "E11", "n": 1}], "labs": [("hb", 13.5), ("crp", 4.0)], "deep": [["x"], []]},
    {"id": "b", "who": None, "codes": [], "dx": [], "labs": [], "deep": []},
    {"id": "c", "who": {"age": None, "sex": "m"}, "codes": None, "dx": None, "labs": None, "deep": None},
    {"id": "d", "who": {"age": 40, "sex": None}, "codes": ["J44"], "dx": [{"code": None, "n": 7}], "labs": [("hb", None)], "deep": [None, ["y", "z"]]},
]
nested = pa.schema([("id", pa.string()), ("who", pa.struct([("age", pa.int32()), ("sex", pa.string())])), ("codes", pa.list_(pa.string())),
                    ("dx", pa.list_(pa.struct([("code", pa.string()), ("n", pa.int32())]))), ("labs", pa.map_(pa.string(), pa.float64())), ("deep", pa.list_(pa.list_(pa.string())))])
for version in ("1.0", "2.0"):
    pq.write_table(pa.Table.from_pylist(rows, nested), f"nested-v{version[0]}.parquet", data_page_version=version)
lists = pa.table({"id": [f"p{i}" for i in range(n)], "codes": [[f"c{j}" for j in range(i % 4)] for i in range(n)]})
pq.write_table(lists, "lists.parquet", data_page_version="2.0", data_page_size=100, write_batch_size=7, row_group_size=50)
note("lists.parquet", lists)

# Codes in structures and maps, beside ids and alone.
held = [{"patient": i + 1, "dx": [{"code": c, "n": 1 + (i + j) % 3} for j, c in enumerate(("I10", "E11", "J44", "K21", "M54")) if (i + 1) >> j & 1]} for i in range(32)]
dx = pa.list_(pa.struct([("code", pa.string()), ("n", pa.int32())]))
pq.write_table(pa.Table.from_pylist(held, pa.schema([("patient", pa.int64()), ("dx", dx)])), "structs.parquet")
pq.write_table(pa.Table.from_pylist([{"dx": r["dx"]} for r in held], pa.schema([("dx", dx)])), "structs-alone.parquet")
pq.write_table(pa.Table.from_pylist([{"patient": r["patient"], "dx": [(d["code"], d["n"]) for d in r["dx"]]} for r in held],
                                    pa.schema([("patient", pa.int64()), ("dx", pa.map_(pa.string(), pa.int32()))])), "maps.parquet")
two = pa.schema([("patient", pa.int64()), ("dx", dx), ("drugs", dx)])
pq.write_table(pa.Table.from_pylist([{**r, "drugs": r["dx"]} for r in held], two), "two-structs.parquet")

# Other writers.
frame = {"id": [f"p{i:03}" for i in range(n)], "colour": [("red", "green", "blue")[i % 3] for i in range(n)], "age": holes([20.5 + i % 7 for i in range(n)], 4), "visits": [i % 5 for i in range(n)]}
pl.DataFrame(frame).with_columns(codes=pl.Series([[f"c{j}" for j in range(i % 4)] for i in range(n)])).write_parquet("polars.parquet")
want["polars.parquet"] = {**{k: stored(v) for k, v in frame.items()}, "codes": stored([[f"c{j}" for j in range(i % 4)] for i in range(n)])}
df = pd.DataFrame(frame)
duckdb.sql("copy (select *, [colour, id] as pair from df) to 'duckdb.parquet' (format parquet, parquet_version v2)")
want["duckdb.parquet"] = {**{k: stored(v) for k, v in frame.items()}, "pair": stored([[c, i] for c, i in zip(frame["colour"], frame["id"])])}
fastparquet.write("fastparquet.parquet", df, compression="GZIP")
want["fastparquet.parquet"] = {k: stored(v) for k, v in frame.items()}

# Nothing to read, or no way to.
pq.write_table(pa.table({"x": pa.array([], pa.int32())}), "empty.parquet")
meta = []
pq.write_table(pa.table({"x": [1]}), "part.parquet", metadata_collector=meta)
meta[0].set_file_path("part-0.parquet")
meta[0].write_metadata_file("parts-elsewhere.parquet")
os.remove("part.parquet")



class Keys(pe.KmsClient):
    def wrap_key(self, key, master):
        return base64.b64encode(key).decode()

    def unwrap_key(self, key, master):
        return base64.b64decode(key)


factory = pe.CryptoFactory(lambda c: Keys())
for name, plain in (("locked", False), ("locked-columns", True)):
    how = pe.EncryptionConfiguration(footer_key="k", column_keys={"k": ["x"]}, plaintext_footer=plain)
    with pq.ParquetWriter(f"{name}.parquet", pa.schema([("x", pa.int64())]), encryption_properties=factory.file_encryption_properties(pe.KmsConnectionConfig(), how)) as w:
        w.write_table(pa.table({"x": [1, 2]}))

with open("want.json.gz", "wb") as f:
    f.write(gzip.compress(json.dumps(want, separators=(",", ":")).encode(), mtime=0))
