# The command line with git, kubectl and helm: podium check, simulate, … on a folder that is mounted at /work.
#   docker build -t podium . && docker run --rm -v "$PWD:/work:ro" podium check .
FROM node:24-alpine
ARG PODIUM_VERSION=0.2.0
# The folder belongs to whoever mounts it. Podium has git list and show what is committed, and run nothing of it.
RUN apk add --no-cache git \
  && git config --system --add safe.directory '*' \
  && npm install --global --ignore-scripts --no-audit --no-fund "podium-scheduling@${PODIUM_VERSION}" \
  && npm cache clean --force \
  && sh /usr/local/lib/node_modules/podium-scheduling/integrations/install-tools.sh
WORKDIR /work
USER node
ENTRYPOINT ["podium"]
CMD ["--help"]
