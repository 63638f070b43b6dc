#!/bin/sh
# Creates the secrets of the cluster once, then starts compose.yaml. Play at http://localhost:8080, see the dashboard at
# http://localhost:3000, and administer at http://localhost:8081/admin with the token in deploy/secrets/admin-token.
# Settings by the environment: GAMES (folder), CERTIFICATE (file with certificate and key, for https at TLS_PORT), PORT, TLS_PORT, ADMIN_PORT,
# GRAFANA_PORT, SERVER_MEMORY (2g for each server). Arguments go to "docker compose up".
set -eu
# Paths are those of the caller, not of compose.yaml.
[ -z "${GAMES:-}" ] || GAMES=$(realpath "$GAMES")
[ -z "${CERTIFICATE:-}" ] || CERTIFICATE=$(realpath "$CERTIFICATE")
cd "$(dirname "$0")"

umask 077
mkdir -p secrets
random() { head -c 32 /dev/urandom | od -An -vtx1 | tr -d ' \n'; }
for name in token-secret admin-token postgres-password redis-password; do
  [ -s "secrets/$name" ] || random > "secrets/$name"
done
printf 'postgres://reenact:%s@postgres:5432/reenact' "$(cat secrets/postgres-password)" > secrets/store-url
printf 'redis://:%s@redis:6379' "$(cat secrets/redis-password)" > secrets/journal-url

# Read by every "docker compose". Settings that should last can stand there, too.
grep -qs ^OWNER= .env || echo "OWNER=$(id -u):$(id -g)" >> .env
exec docker compose up --build --wait "$@"
