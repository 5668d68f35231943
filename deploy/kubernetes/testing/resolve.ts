import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { parse, parseAllDocuments } from 'yaml'
import { z } from 'zod'

/** Common fields of all resources; each check parses what it needs. */
const resourceSchema = z.looseObject({
  apiVersion: z.string().min(1),
  kind: z.string().min(1),
  metadata: z.looseObject({ name: z.string().min(1), namespace: z.string().optional() }),
})
export type Resource = z.infer<typeof resourceSchema>

type Fields = Record<string, unknown>

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Every object within a value, including the value. */
export const objectsIn = (value: unknown): readonly Fields[] => {
  if (Array.isArray(value)) return value.flatMap(objectsIn)
  if (!isFields(value)) return []
  return [value, ...Object.values(value).flatMap(objectsIn)]
}

/**
 * Emulates `kubectl kustomize` for machines without it. Supports only the features that these manifests use and rejects
 * others. Generated names get no hash.
 */
const target = z.strictObject({ kind: z.string(), name: z.string().optional() })

const kustomizationSchema = z.strictObject({
  apiVersion: z.literal('kustomize.config.k8s.io/v1beta1'),
  kind: z.literal('Kustomization'),
  namespace: z.string().optional(),
  resources: z.array(z.string()).default([]),
  configMapGenerator: z.array(z.strictObject({ name: z.string(), envs: z.array(z.string()) })).default([]),
  images: z.array(z.strictObject({ name: z.string(), newName: z.string(), newTag: z.string() })).default([]),
  replicas: z.array(z.strictObject({ name: z.string(), count: z.int().min(1) })).default([]),
  patches: z.array(z.strictObject({ path: z.string(), target })).default([]),
})
type Kustomization = z.infer<typeof kustomizationSchema>

const pointer = z.string().startsWith('/')
const operationsSchema = z.array(
  z.discriminatedUnion('op', [
    z.strictObject({ op: z.literal('remove'), path: pointer }),
    z.strictObject({ op: z.literal('replace'), path: pointer, value: z.string() }),
  ]),
)
type Operation = z.infer<typeof operationsSchema>[number]

const textOf = (path: string): string => readFileSync(path, 'utf8')

export const parseResources = (text: string): Resource[] =>
  parseAllDocuments(text).map((document) => {
    if (document.errors.length > 0) throw document.errors[0] ?? new Error('not YAML')
    return resourceSchema.parse(document.toJS())
  })

const generated = (folder: string, { configMapGenerator }: Kustomization): Resource[] =>
  configMapGenerator.map(({ name, envs }) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name },
    data: Object.assign({}, ...envs.map((file) => parseEnv(textOf(join(folder, file))))),
  }))

const merge = (into: unknown, patch: unknown): unknown => {
  if (!isFields(into) || !isFields(patch)) return patch
  const merged = { ...into }
  for (const [name, value] of Object.entries(patch)) {
    // Kustomize merges lists by its own rules, so a patch may only add a list.
    if (Array.isArray(value) && name in into) throw new Error(`a patch changes the list '${name}'`)
    merged[name] = name in into ? merge(into[name], value) : value
  }
  return merged
}

const within = (value: unknown, name: string): unknown => {
  if (Array.isArray(value)) return value[Number(name)]
  return isFields(value) ? value[name] : undefined
}

const operate = (resource: Resource, operation: Operation): void => {
  const names = operation.path.slice(1).split('/')
  const last = names.pop() ?? ''
  const parent = names.reduce(within, resource)
  if (!isFields(parent) || !(last in parent)) throw new Error(`a patch changes ${operation.path}, which does not exist`)
  if (operation.op === 'remove') delete parent[last]
  else parent[last] = operation.value
}

const patched = (resource: Resource, text: string): Resource => {
  const patch: unknown = parse(text)
  if (Array.isArray(patch)) {
    for (const operation of operationsSchema.parse(patch)) operate(resource, operation)
    return resource
  }
  const { metadata: _name, ...rest } = resourceSchema.parse(patch)
  return resourceSchema.parse(merge(resource, rest))
}

const withImage = (resource: Resource, { name, newName, newTag }: Kustomization['images'][number]): void => {
  for (const container of objectsIn(resource))
    if (container['image'] === name) container['image'] = `${newName}:${newTag}`
}

const nonEmpty = <T>(found: readonly T[], what: string): readonly T[] => {
  if (found.length === 0) throw new Error(`a kustomization refers to ${what}, which does not exist`)
  return found
}

export const resolveKustomization = (folder: string): Resource[] => {
  const kustomization = kustomizationSchema.parse(parse(textOf(join(folder, 'kustomization.yaml'))))
  const read = (path: string): Resource[] =>
    path.endsWith('.yaml') ? parseResources(textOf(join(folder, path))) : resolveKustomization(join(folder, path))
  let resources = [...kustomization.resources.flatMap(read), ...generated(folder, kustomization)]

  for (const { path, target: at } of kustomization.patches) {
    const matches = ({ kind, metadata }: Resource) => kind === at.kind && (at.name ?? metadata.name) === metadata.name
    nonEmpty(resources.filter(matches), `a ${at.kind} ${at.name ?? ''}`)
    const text = textOf(join(folder, path))
    resources = resources.map((resource) => (matches(resource) ? patched(resource, text) : resource))
  }
  for (const { name, count } of kustomization.replicas) {
    for (const { spec } of nonEmpty(
      resources.filter(({ kind, metadata }) => kind === 'Deployment' && metadata.name === name),
      name,
    )) {
      if (isFields(spec)) spec['replicas'] = count
    }
  }
  for (const image of kustomization.images) for (const resource of resources) withImage(resource, image)
  const { namespace } = kustomization
  if (namespace === undefined) return resources
  const placed = (resource: Resource): Resource =>
    resource.kind === 'Namespace' ? resource : { ...resource, metadata: { ...resource.metadata, namespace } }
  return resources.map(placed)
}
