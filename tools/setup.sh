#!/bin/sh
# Installs what the tests need and this machine lacks: Redis, Java and Maven for the engines, promtool for the alerts, a browser and a
# font for the journeys.
# Prints the path of the browser, or nothing where Playwright has downloaded its own. Called by `make test`.
# `clock` installs what `make faults` needs besides.
set -u
cd "$(dirname "$0")/.."

has() { command -v "$1" >/dev/null 2>&1; }

say() { echo "$*" >&2; }

# As root, or with a sudo that asks for no password.
install_from_debian() {
  has apt-get || return 1
  if [ "$(id -u)" -eq 0 ]; then as_root='env'; else as_root='sudo -n env'; fi
  [ "$as_root" = env ] || { has sudo && sudo -n true; } || return 1
  $as_root DEBIAN_FRONTEND=noninteractive apt-get -qq update >/dev/null
  $as_root DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends "$@" >/dev/null
}

has_java_17() {
  has java || return 1
  version=$(java -version 2>&1 | sed -n 's/.*version "\([0-9]*\).*/\1/p')
  [ "${version:-0}" -ge 17 ]
}

kafka_version=$(sed -n '/<artifactId>kafka_/,/<\/version>/s:.*<version>\(.*\)</version>.*:\1:p' tools/engines/src/kafka/pom.xml)

missing_for_engines() {
  has redis-server || echo 'Redis is missing: apt-get install redis-server'
  has_java_17 || echo 'Java 17 or newer is missing, which Kafka needs: apt-get install default-jre-headless'
  [ -d "node_modules/.cache/portal-engines/kafka-$kafka_version" ] || has mvn \
    || echo "Maven is missing, which fetches Kafka's jars: apt-get install maven"
}

# Engines that are named need none, and Docker runs its own.
provide_engines() {
  [ -n "${TEST_REDIS_URL:-}" ] && [ -n "${TEST_KAFKA_URL:-}" ] && return 0
  has docker && docker info >/dev/null 2>&1 && return 0
  [ -z "$(missing_for_engines)" ] && return 0
  say "Installing Redis, and Java and Maven for Kafka, for the engines' tests …"
  install_from_debian redis-server default-jre-headless maven
  missing=$(missing_for_engines | awk 'NR > 1 { printf "; " } { printf "%s", $0 }')
  [ -z "$missing" ] || { say "The engines' tests cannot run. $missing"; return 1; }
}

# Only the program is taken from the package, which would also start a server.
provide_promtool() {
  cached=node_modules/.cache/portal-engines/promtool
  has promtool || [ -x "$cached" ] && return 0
  say "Fetching promtool for the alerts' tests …"
  folder=$(mktemp -d)
  has apt-get && has dpkg-deb && chmod 755 "$folder" && {
    (cd "$folder" && apt-get -qq download prometheus >/dev/null 2>&1) \
      || { install_from_debian ca-certificates && (cd "$folder" && apt-get -qq download prometheus >/dev/null); }
  } && dpkg-deb -x "$folder"/prometheus_*.deb "$folder" \
    && mkdir -p "${cached%/*}" && mv "$folder/usr/bin/promtool" "$cached"
  rm -rf "$folder"
  [ -x "$cached" ] || { say "The alerts' tests cannot run. promtool is missing: apt-get install prometheus"; return 1; }
}

find_browser() {
  [ -z "${CHROMIUM_PATH:-}" ] || { echo "$CHROMIUM_PATH"; return 0; }
  for name in chromium chromium-browser google-chrome google-chrome-stable; do
    command -v "$name" && return 0
  done
  return 1
}

provide_browser() {
  find_browser && return 0
  say 'Installing a browser for the journeys …'
  # Most journeys run in the headless shell, which takes less processor time. Without it, all run in the whole browser.
  install_from_debian chromium chromium-headless-shell fonts-liberation && find_browser && return 0
  install_from_debian chromium fonts-liberation && find_browser && return 0
  node_modules/.bin/node node_modules/playwright-core/cli.js install chromium >/dev/null && return 0
  say 'No browser could be installed. Install Chromium, or set CHROMIUM_PATH to one.'
  return 1
}

# Without a font for Hindi, the journeys with hostile texts would measure placeholders.
provide_hindi_font() {
  has fc-list || return 0
  [ -n "$(fc-list :lang=hi family)" ] && return 0
  say 'Installing a font for Hindi …'
  install_from_debian fonts-lohit-deva && return 0
  say 'No font for Hindi could be installed. Install one, such as fonts-lohit-deva.'
  return 1
}

# The faults move the clock of a process.
provide_fake_clock() {
  [ -e /usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1 ] && return 0
  say 'Installing a clock that can be moved …'
  install_from_debian faketime && return 0
  say 'It could not be installed, so the faults of clocks cannot run: apt-get install faketime'
  return 1
}

if [ "${1:-}" = clock ]; then
  provide_fake_clock
else
  provide_engines && provide_promtool && provide_browser && provide_hindi_font
fi
