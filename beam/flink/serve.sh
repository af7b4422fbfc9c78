#!/bin/sh
# serve.sh JARS PORT FOLDER: the job server with a Flink of its own, in this process.
set -u
here=$(cd "$(dirname "$0")" && pwd)
exec java -Xmx1g \
	--add-opens=java.base/sun.nio.ch=ALL-UNNAMED --add-opens=java.base/java.nio=ALL-UNNAMED \
	--add-opens=java.base/java.util=ALL-UNNAMED --add-opens=java.base/java.lang.invoke=ALL-UNNAMED \
	--add-opens=java.base/java.lang=ALL-UNNAMED \
	-cp "$1/*" org.apache.beam.runners.flink.FlinkJobServerDriver \
	--flink-master='[local]' --flink-conf-dir="$here/conf" --job-host=127.0.0.1 --job-port="$2" \
	--artifact-port="$(($2 - 1))" --expansion-port=-1 --artifacts-dir="$3"
