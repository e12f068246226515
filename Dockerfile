# A node of Coop Explorer: Hub, relay and app. Built in one stage, run from another as a user without rights on a read-only
# file system: docker run --read-only --tmpfs /tmp -v coop:/data -p 8787:8787 coop-explorer

FROM node:22-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY . .
RUN npm run build && npm prune --omit=dev --no-audit --no-fund

FROM node:22-bookworm-slim
ENV NODE_ENV=production COOP_HOST=0.0.0.0 COOP_DATA=/data COOP_LOG=json COOP_DRAIN_SECONDS=3
WORKDIR /app
COPY --from=build --chown=root:root /app/package.json ./
COPY --from=build --chown=root:root /app/node_modules ./node_modules
COPY --from=build --chown=root:root /app/src ./src
COPY --from=build --chown=root:root /app/scripts ./scripts
COPY --from=build --chown=root:root /app/dist/app ./dist/app
COPY --from=build --chown=root:root /app/tsconfig.json ./
RUN install -d -o node -g node /data
USER node
VOLUME /data
EXPOSE 8787
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:8787/healthz').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--import", "tsx", "src/cli/main.ts", "serve"]
