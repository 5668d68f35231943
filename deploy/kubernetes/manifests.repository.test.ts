import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { allRoutes } from '@portal/contracts/route-table'
import { loadConfig } from '@portal/platform/settings/config'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { repositoryRoot } from '@portal/ops/repository-root'
import { objectsIn, parseResources, resolveKustomization, type Resource } from './testing/resolve.ts'

const largestBodyBytes = Math.max(...allRoutes.map(({ bodyLimitBytes = 0 }) => bodyLimitBytes))

/** Secrets that the cluster needs. README.md creates them; they are never part of the manifests. */
const secrets: Readonly<Record<string, readonly string[]>> = {
  'portal-engines-auth': ['EVENT_STORE_URL', 'BUS_URL', 'READ_MODEL_URL'],
  'portal-engines-catalog': ['EVENT_STORE_URL', 'BUS_URL', 'READ_MODEL_URL'],
  'portal-engines-notifications': ['EVENT_STORE_URL', 'BUS_URL', 'READ_MODEL_URL'],
  'portal-engines-delivery': ['EVENT_STORE_URL', 'BUS_URL', 'READ_MODEL_URL'],
  'portal-engines-gateway': ['BUS_URL', 'READ_MODEL_URL'],
  'portal-engines-ops': ['EVENT_STORE_URL', 'BUS_URL', 'READ_MODEL_URL'],
  'portal-secrets': ['MASTER_KEY', 'METRICS_TOKEN', 'ADMIN_EMAIL', 'ADMIN_PASSWORD', 'SMTP_URL', 'SMS_URL'],
  'portal-push': ['FCM_SERVICE_ACCOUNT_FILE', 'service-account.json'],
  'portal-session-keys': ['session-keys.json'],
  'portal-tls': ['tls.crt', 'tls.key'],
  'portal-event-store-admin': ['ADMIN_URL'],
}

const probe = z.object({
  httpGet: z.object({ path: z.literal('/health/ready'), port: z.literal('http') }).optional(),
  exec: z.object({ command: z.array(z.string()) }).optional(),
})

const containerSchema = z.object({
  name: z.string(),
  image: z.string().regex(/^[\w./-]+:\d+\.\d+\.\d+$/, 'an image of one version'),
  command: z.tuple([z.literal('node'), z.string()]),
  ports: z.tuple([z.object({ name: z.literal('http'), containerPort: z.literal(3000) })]),
  envFrom: z.array(
    z.object({
      configMapRef: z.object({ name: z.string() }).optional(),
      secretRef: z.object({ name: z.string() }).optional(),
    }),
  ),
  env: z.array(
    z.strictObject({
      name: z.string(),
      // No `value`: what is the same everywhere is in the config map, what is not is a secret or the cluster's to say.
      valueFrom: z.object({
        secretKeyRef: z.object({ name: z.string(), key: z.string(), optional: z.boolean().default(false) }).optional(),
        fieldRef: z.object({ fieldPath: z.string() }).optional(),
      }),
    }),
  ),
  securityContext: z.object({
    allowPrivilegeEscalation: z.literal(false),
    readOnlyRootFilesystem: z.literal(true),
    capabilities: z.object({ drop: z.tuple([z.literal('ALL')]) }),
  }),
  startupProbe: probe,
  readinessProbe: probe,
  livenessProbe: probe,
  resources: z.object({
    requests: z.object({ cpu: z.string(), memory: z.string() }),
    limits: z.object({ memory: z.string() }),
  }),
  volumeMounts: z.array(z.object({ name: z.string(), mountPath: z.string() })),
})

const labels = z.record(z.string(), z.string())

const networkPolicySchema = z.object({
  podSelector: z.object({ matchExpressions: z.array(z.object({ values: z.array(z.string()) })).optional() }),
  egress: z
    .array(
      z.object({
        to: z.array(z.unknown()),
        ports: z.array(z.object({ port: z.union([z.number(), z.string()]) })),
      }),
    )
    .default([]),
})

const deploymentSchema = z.object({
  metadata: z.object({ name: z.string() }),
  spec: z.object({
    replicas: z.int().optional(),
    selector: z.object({ matchLabels: labels }),
    template: z.object({
      metadata: z.object({ labels }),
      spec: z.object({
        automountServiceAccountToken: z.literal(false),
        securityContext: z.object({
          runAsNonRoot: z.literal(true),
          runAsUser: z.int().min(1),
          seccompProfile: z.object({ type: z.literal('RuntimeDefault') }),
        }),
        containers: z.array(containerSchema).length(1),
        volumes: z.array(
          z.object({
            name: z.string(),
            secret: z.object({ secretName: z.string(), optional: z.boolean().default(false) }).optional(),
          }),
        ),
      }),
    }),
  }),
})

const jobContainerSchema = containerSchema.omit({
  ports: true,
  startupProbe: true,
  readinessProbe: true,
  livenessProbe: true,
})

/** A scheduled command. */
const cronJobSchema = z.object({
  metadata: z.object({ name: z.string() }),
  spec: z.object({
    suspend: z.literal(true, 'switched on by those who want it'),
    schedule: z.string().regex(/^(\S+ ){4}\S+$/),
    concurrencyPolicy: z.literal('Forbid'),
    jobTemplate: z.object({
      spec: z.object({
        template: z.object({
          metadata: z.object({ labels }),
          spec: deploymentSchema.shape.spec.shape.template.shape.spec.extend({
            restartPolicy: z.literal('Never'),
            containers: z.array(jobContainerSchema).length(1),
          }),
        }),
      }),
    }),
  }),
})

const ofKind = (resources: readonly Resource[], kind: string) => resources.filter((resource) => resource.kind === kind)
const deploymentsOf = (resources: readonly Resource[]) =>
  ofKind(resources, 'Deployment').map((deployment) => deploymentSchema.parse(deployment))

const cronJobsOf = (resources: readonly Resource[]) =>
  ofKind(resources, 'CronJob').map((job) => cronJobSchema.parse(job))

const selects = (selector: Readonly<Record<string, string>>, of: Readonly<Record<string, string>>): boolean =>
  Object.entries(selector).every(([name, value]) => of[name] === value)

const hasKubectl = spawnSync('kubectl', ['version', '--client'], { stdio: 'ignore' }).status === 0
const folderOf = (name: string): string => join(import.meta.dirname, name)

/** Uses kubectl if it is installed, and the emulation in testing/resolve.ts otherwise. */
const resolve = (folder: string): Resource[] =>
  hasKubectl
    ? parseResources(execFileSync('kubectl', ['kustomize', folder], { encoding: 'utf8' }))
    : resolveKustomization(folder)

/** Sorted, without name hashes, as plain JSON. */
const comparable = (resources: readonly Resource[]): unknown => {
  const nameOf = ({ kind, metadata }: Resource) => `${kind}/${metadata.name}`
  const text = JSON.stringify(resources.toSorted((a, b) => nameOf(a).localeCompare(nameOf(b))))
  return JSON.parse(text.replaceAll(/"portal-settings-[a-z0-9]{10}"/g, '"portal-settings"'))
}

describe.each(['base', 'overlays/replicas'])('the manifests of %s', (name) => {
  const resources = resolve(folderOf(name))
  const deployments = deploymentsOf(resources)
  const containers = deployments.flatMap(({ spec }) => spec.template.spec.containers)

  it('resolve to the same resources with and without kubectl', () => {
    expect(comparable(resolveKustomization(folderOf(name)))).toEqual(comparable(resources))
  })

  it('share one namespace and have unique names', () => {
    const names = resources.map(({ kind, metadata }) => `${kind}/${metadata.name}`)
    expect(new Set(names).size).toBe(names.length)
    const placed = resources.filter(({ kind }) => kind !== 'Namespace')
    expect(new Set(placed.map(({ metadata }) => metadata.namespace))).toEqual(new Set(['portal']))
  })

  it('have every process of the portal, in containers without privileges, with probes and limits', () => {
    expect(deployments.map(({ metadata }) => metadata.name).toSorted()).toEqual([
      'auth',
      'catalog',
      'delivery',
      'gateway',
      'notifications',
    ])
    for (const { command } of containers) expect(existsSync(join(repositoryRoot, command[1]))).toBe(true)
  })

  it('refer only to existing resources', () => {
    const configMaps = ofKind(resources, 'ConfigMap').map(({ metadata }) => metadata.name)
    const pods = deployments.map(({ spec }) => spec.template.spec)
    const taken = containers.flatMap(({ envFrom }) => envFrom)
    expect(taken.flatMap(({ configMapRef }) => configMapRef?.name ?? [])).toEqual(containers.flatMap(() => configMaps))

    const secretNames = [
      ...taken.flatMap(({ secretRef }) => secretRef?.name ?? []),
      ...pods.flatMap(({ volumes }) => volumes.flatMap(({ secret }) => secret?.secretName ?? [])),
    ]
    expect(secretNames.filter((secret) => !(secret in secrets))).toEqual([])
    const keys = containers.flatMap(({ env }) => env.flatMap(({ valueFrom }) => valueFrom.secretKeyRef ?? []))
    expect(keys.filter(({ name: secret, key }) => !secrets[secret]?.includes(key))).toEqual([])
    expect(keys.length).toBeGreaterThan(containers.length)

    for (const { containers: of, volumes } of pods) {
      const mounted = new Set(of.flatMap(({ volumeMounts }) => volumeMounts.map((mount) => mount.name)))
      expect(mounted).toEqual(new Set(volumes.map((volume) => volume.name)))
    }
  })

  it('start without providers, and hand the push service account to delivery alone', () => {
    const needed = containers.flatMap(({ env }) =>
      env.flatMap(({ name: setting, valueFrom }) => (valueFrom.secretKeyRef?.optional === false ? [setting] : [])),
    )
    expect(new Set(needed)).toEqual(new Set(['METRICS_TOKEN', 'MASTER_KEY']))

    const pushing = deployments.filter(({ spec }) =>
      spec.template.spec.containers.some(({ env }) =>
        env.some(({ name: setting }) => setting === 'FCM_SERVICE_ACCOUNT_FILE'),
      ),
    )
    expect(pushing.map(({ metadata }) => metadata.name)).toEqual(['delivery'])
    for (const { metadata, spec } of deployments) {
      const { containers: of, volumes } = spec.template.spec
      const accounts = volumes.filter(({ secret }) => secret?.secretName === 'portal-push')
      expect(accounts.map(({ secret }) => secret?.optional)).toEqual(metadata.name === 'delivery' ? [true] : [])
      const mounts = of.flatMap(({ volumeMounts }) => volumeMounts).filter((mount) => mount.name === accounts[0]?.name)
      for (const { mountPath } of mounts)
        expect(readFileSync(join(folderOf('.'), 'README.md'), 'utf8')).toContain(
          `--from-literal=FCM_SERVICE_ACCOUNT_FILE=${mountPath}/service-account.json`,
        )
    }
  })

  it('give each process its own logins and no key that it does not need', () => {
    const keysOf = (process: string) =>
      deployments
        .filter(({ metadata }) => metadata.name === process)
        .flatMap(({ spec }) => spec.template.spec.containers)
        .flatMap(({ env }) => env.map((setting) => setting.name).filter((setting) => setting.endsWith('_KEY')))
    expect(['auth', 'catalog', 'notifications', 'delivery', 'gateway'].map(keysOf)).toEqual([
      ['MASTER_KEY'],
      ['MASTER_KEY'],
      ['MASTER_KEY'],
      ['MASTER_KEY'],
      [],
    ])
    for (const { metadata, spec } of deployments) {
      const taken = spec.template.spec.containers.flatMap(({ envFrom }) => envFrom)
      const named = taken.flatMap(({ secretRef }) => secretRef?.name ?? [])
      expect(named).toEqual([`portal-engines-${metadata.name}`])
    }
    expect(secrets['portal-engines-gateway']).not.toContain('EVENT_STORE_URL')
    const readme = readFileSync(join(folderOf('.'), 'README.md'), 'utf8')
    for (const secret of Object.keys(secrets).filter((key) => key.startsWith('portal-engines-')))
      expect(readme).toContain(secret.replace('portal-engines-', ''))
  })

  it('let each pod reach only named destinations, and all but the gateway the event store', () => {
    const policies = ofKind(resources, 'NetworkPolicy').map(({ metadata, spec }) => ({
      policy: metadata.name,
      spec: networkPolicySchema.parse(spec),
    }))
    for (const { spec } of policies) for (const rule of spec.egress) expect(rule.to.length).toBeGreaterThan(0)
    const toStore = policies.filter(({ spec }) =>
      spec.egress.some(({ ports }) => ports.some(({ port }) => port === 2113)),
    )
    expect(toStore.map(({ policy }) => policy)).toEqual(['to-event-store'])
    const readers = [
      ...deployments.map(({ metadata }) => metadata.name).filter((process) => process !== 'gateway'),
      ...cronJobsOf(resources).map(({ metadata }) => metadata.name),
    ]
    expect(toStore[0]?.spec.podSelector.matchExpressions?.[0]?.values.toSorted()).toEqual(readers.toSorted())
  })

  it('are in a namespace with restricted privileges, behind an ingress with limits', () => {
    const [namespace] = ofKind(resources, 'Namespace')
    expect(namespace?.metadata).toMatchObject({
      name: 'portal',
      labels: { 'pod-security.kubernetes.io/enforce': 'restricted' },
    })
    const [ingress] = ofKind(resources, 'Ingress')
    expect(ingress?.metadata).toMatchObject({
      annotations: {
        'nginx.ingress.kubernetes.io/limit-rps': expect.stringMatching(/^\d+$/),
        'nginx.ingress.kubernetes.io/limit-connections': expect.stringMatching(/^\d+$/),
        // As much as the largest call of the contracts: a smaller limit answers a long list with an error of the proxy.
        'nginx.ingress.kubernetes.io/proxy-body-size': `${largestBodyBytes / 1024 ** 2}m`,
      },
    })
  })

  it('suspend scheduled commands by default, and refer only to existing resources', () => {
    const jobs = cronJobsOf(resources)
    expect(jobs.map(({ metadata }) => metadata.name)).toContain('scavenge')
    const configMaps = ofKind(resources, 'ConfigMap').map(({ metadata }) => metadata.name)
    for (const { spec, metadata } of jobs) {
      const { template } = spec.jobTemplate.spec
      expect(template.metadata.labels).toEqual({
        'app.kubernetes.io/name': metadata.name,
        'app.kubernetes.io/part-of': 'portal',
      })
      for (const { command, envFrom, env, volumeMounts } of template.spec.containers) {
        expect(existsSync(join(repositoryRoot, command[1]))).toBe(true)
        expect(configMaps).toEqual(expect.arrayContaining(envFrom.flatMap((from) => from.configMapRef?.name ?? [])))
        const keys = env.flatMap(({ valueFrom }) => valueFrom.secretKeyRef ?? [])
        const named = [...envFrom.flatMap((from) => from.secretRef?.name ?? []), ...keys.map((key) => key.name)]
        expect(named.filter((secret) => !(secret in secrets))).toEqual([])
        expect(keys.filter((key) => !secrets[key.name]?.includes(key.key))).toEqual([])
        const volumes = new Set(template.spec.volumes.map(({ name: volume }) => volume))
        expect(new Set(volumeMounts.map(({ name: mount }) => mount))).toEqual(volumes)
      }
    }
  })

  it('select existing pods, ports and services', () => {
    const pods = deployments.map(({ spec }) => spec.template.metadata.labels)
    const services = ofKind(resources, 'Service')
    const selectors = resources.flatMap(({ kind, spec }) =>
      objectsIn(spec).flatMap((fields) => {
        const of = kind === 'Service' ? fields['selector'] : fields['matchLabels']
        const found = labels.safeParse(of)
        return found.success ? [found.data] : []
      }),
    )
    const own = selectors.filter((selector) =>
      Object.keys(selector).some((key) => key.startsWith('app.kubernetes.io/')),
    )
    expect(own.length).toBeGreaterThan(deployments.length + services.length)
    expect(own.filter((selector) => !pods.some((of) => selects(selector, of)))).toEqual([])
    for (const { spec } of deployments)
      expect(selects(spec.selector.matchLabels, spec.template.metadata.labels)).toBe(true)

    const serviceNames = services.map(({ metadata }) => metadata.name)
    for (const { spec } of ofKind(resources, 'Ingress')) {
      const backends = objectsIn(spec).flatMap(({ service }) =>
        service ? [z.object({ name: z.string(), port: z.object({ name: z.literal('http') }) }).parse(service)] : [],
      )
      expect(backends.length).toBeGreaterThan(0)
      for (const backend of backends) expect(serviceNames).toContain(backend.name)
    }
    for (const { spec } of ofKind(resources, 'HorizontalPodAutoscaler')) {
      const { scaleTargetRef } = z.object({ scaleTargetRef: z.object({ name: z.string() }) }).parse(spec)
      expect(deployments.map(({ metadata }) => metadata.name)).toContain(scaleTargetRef.name)
    }
  })

  it('contain valid settings and no secret', () => {
    expect(ofKind(resources, 'Secret')).toEqual([])
    const [settings] = ofKind(resources, 'ConfigMap').map(({ data }) => labels.parse(data))
    const engines = {
      EVENT_STORE_URL: 'esdb+discover://user:secret@events.example:2113?tls=true',
      BUS_URL: 'kafka+ssl://user:secret@bus.example:9092?sasl=scram-sha-512&partitions=16&replication=3',
      READ_MODEL_URL: 'rediss://:secret@cache.example:6379',
    }
    expect(loadConfig({ ...settings, ...engines })).toMatchObject({
      environment: 'production',
      pushClient: undefined,
      services: {
        auth: 'http://auth:3000',
        catalog: 'http://catalog:3000',
        notifications: 'http://notifications:3000',
      },
    })
    const isSecret = (setting: string) => Object.values(secrets).some((keys) => keys.includes(setting))
    expect(Object.keys(settings ?? {}).filter(isSecret)).toEqual([])
  })
})

describe('the replicas overlay', () => {
  const resources = resolve(folderOf('overlays/replicas'))
  const deployments = deploymentsOf(resources)

  it('has at least two replicas of each, or an autoscaler', () => {
    const scaled = ofKind(resources, 'HorizontalPodAutoscaler').map(({ metadata }) => metadata.name)
    for (const { metadata, spec } of deployments) {
      const isGivenAway = spec.replicas === undefined && scaled.includes(metadata.name)
      expect(isGivenAway || (spec.replicas ?? 1) > 1).toBe(true)
    }
  })

  it('lets a node be drained one pod at a time', () => {
    const budgets = ofKind(resources, 'PodDisruptionBudget').map(({ metadata }) => metadata.name)
    expect(budgets.toSorted()).toEqual(deployments.map(({ metadata }) => metadata.name).toSorted())
  })
})
