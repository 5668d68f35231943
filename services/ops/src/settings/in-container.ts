import { existsSync } from 'node:fs'

/** Whether this process runs in Docker, Podman or Kubernetes, where only the container's own network reaches it. */
export const isInContainer = (environment: Readonly<Record<string, string | undefined>>): boolean =>
  environment['KUBERNETES_SERVICE_HOST'] !== undefined || existsSync('/.dockerenv') || existsSync('/run/.containerenv')
