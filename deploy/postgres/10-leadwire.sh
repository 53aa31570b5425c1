#!/bin/sh
# Run once by the PostgreSQL image of compose.yaml, when its volume is empty. The service is no superuser: what it may not
# do (change an audit record) is withheld by rights, and those do not bind a superuser.
# Run on 2026-11-21 with PostgreSQL 18.4 in a stand-in for that image.
set -eu
psql -v ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname postgres -v password="$LEADWIRE_DB_PASSWORD" <<'SQL'
CREATE ROLE leadwire LOGIN PASSWORD :'password';
CREATE DATABASE leadwire OWNER leadwire TEMPLATE template0 ENCODING 'UTF8' LC_COLLATE 'C.UTF-8' LC_CTYPE 'C.UTF-8';
SQL
